; What transforms rest on: a gather of the scattered sum. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)

; a gather of the scattered sum: the lemmas' instances.
(assert (= (owner_I i) rank))

(check-sat)
