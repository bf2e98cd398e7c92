; What transforms rest on: a gather of the scattered sum. The assumptions of the proofs, all at once.
;
; Source: transforms of distributed programs; p2smt/schedule/lemmas.py
; Sat: the assumptions can hold together.
; Unsat: the proofs are vacuous.
; Built by: p2smt.schedule.catalogue.all_scripts
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)

; a gather of the scattered sum: the lemmas' instances.
(assert (= (owner_I i) rank))

(check-sat)
