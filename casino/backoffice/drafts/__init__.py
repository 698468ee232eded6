"""Drafts: what people have typed into a form and not stored yet.

Every form of the pages takes part and needs no code of its own: the script
``templates/static/sabot/js/drafts.js`` sends the entries along with it, and they are kept unless
the view stored them. A form with ``data-draft`` is saved while somebody types, too. The script
fills the draft in when the person opens the form again.

Why drafts are stored here and not in the browser: workstations of a casino floor are shared, and
texts about customers and colleagues would stay on their disks. Here they are the person's own,
follow the person to another workstation, and are encrypted with SECRET_KEY, so that a copy of the
database does not reveal what nobody has submitted. The table is scratch paper and no record: rows
are overwritten, deleted by submitting or discarding, and after thirty days.
"""
