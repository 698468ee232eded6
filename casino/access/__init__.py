"""Staff access: logins, roles, second factors, access requests, and the record of page views."""
