"""The guards of the model, each of which can be switched off. The value names the code."""

from enum import StrEnum


class Guard(StrEnum):
    """A condition without which a move or a payment is refused."""

    # What the services refuse.
    PERMISSION = "casino.access.roles.PERMISSIONS: approve_decision"
    APPROVABLE = "payouts.cases.status.APPROVABLE"
    REGULATOR = "payouts.cases.status.stage_of: to_refer"
    SEEN = "compliance.trail.steps.require_latest"
    EFFECT_SEEN = "payouts.cases.decide_case._decisions"
    NOT_PROPOSER = "payouts.cases.decide_case._require_other_person: proposed"
    NOT_OPENER = "payouts.cases.decide_case._require_other_person: opened"
    SIGNED = "compliance.signatures.sign_decision.SignatureRequired"
    OWN_KEY = "compliance.signatures.queries.key_in_force: person_id"
    KEY_IN_FORCE = "compliance.signatures.queries.key_in_force: period_of"
    ASSERTION = "compliance.signatures.assertions.verify_assertion"
    NOT_HOLDER = "compliance.signatures.manage_keys._require_another: HolderCannotApprove"
    ANOTHER_APPROVER = "compliance.signatures.manage_keys._require_another: ApprovedAlready"
    TWO_APPROVALS = "compliance.signatures.queries.is_complete"
    ANOTHER_SIGNER = "compliance.exports.services.bundle_steps.AlreadySigned"
    SENDABLE = "compliance.exports.bundle_status.SENDABLE"
    ANOTHER_RESUMES = "payouts.integrity.resume_settlement.FourEyesRequired"
    MAY_RESUME = "sign_decision._sign: require_entitled"

    # What the worker refuses, whatever the rows say.
    ROW_SIGNED = "signature_verifier.SignatureVerifier.verify: found no signature"
    ROW_OWN_KEY = "signature_verifier._require_own_key"
    ROW_NO_DEMO_KEY = "signature_verifier._require_authenticator"
    ROW_KEY_IN_FORCE = "signature_verifier._require_in_force"
    ROW_LOG_ORDER = "signature_verifier._require_logged_before_revocation"
    ROW_KEY_APPROVED = "signature_verifier.SignatureVerifier._require_approved"
    ROW_ASSERTION = "signature_verifier: verify_assertion"
    ROW_TEXT = "signature_verifier.SignatureVerifier._verified: text_of_record"
    KEY_ROOT_NAMED = "signature_verifier._verified_start: SIGNING_KEY_ROOTS"
    KEY_COMPLETE = "signature_verifier._verified_start: is_complete"
    KEY_THREE_PERSONS = "signature_verifier._verified_start: is_same_person"
    KEY_APPROVALS_SIGNED = "signature_verifier._verified_start: approvals verified"
    KEY_NO_CIRCLE = "signature_verifier.in_force_from: a circle approves nothing"
    CASE_APPROVED = "payouts.cases.verify_case._latest_decision: approved"
    CASE_REGULATOR = "payouts.cases.verify_case._latest_decision: referred, allowed"
    CASE_TWO_PERSONS = "payouts.cases.verify_case._require_two_persons: proposal"
    CASE_NOT_OPENER = "payouts.cases.verify_case._require_two_persons: opener"
    CASE_ONE_EFFECT = "payouts.cases.verify_case._require_one_effect"
    CASE_PLAN = "payouts.cases.verify_case._require_plan"
    STOPPED = "payouts.integrity.stop_settlement.may_settle"
    STOP_TWO_PERSONS = "payouts.verify_resumption.is_resumed: is_same_person"
    STOP_SIGNED = "payouts.verify_resumption._is_signed"
    STOP_ENTITLED = "signature_verifier.SignatureVerifier.require_entitled"
    BUNDLE_SIGNED = "require_two_signatures: verify_row"
    BUNDLE_TWO_PERSONS = "require_two_signatures._require_two_persons"


OF_SERVICES = tuple(Guard)[: tuple(Guard).index(Guard.ROW_SIGNED)]
OF_WORKER = tuple(Guard)[len(OF_SERVICES) :]
