; What transforms rest on: a gather of parts. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun computed2_II (Int Int) Value)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun whole1_I (Int) Value)

; a gather of parts: the lemmas' instances.
(assert (or (not (= (owner_I i) rank)) (= (computed2_II rank i) (whole1_I i))))
(assert (= (owner_I i) rank))

(check-sat)
