; What transforms rest on: what is sent is what is received. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun group () Int)
(declare-fun i () Int)
(declare-fun next () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun received3_III (Int Int Int) Value)
(declare-fun sent3_III (Int Int Int) Value)
(declare-fun whole2_II (Int Int) Value)

; what is sent is what is received: the lemmas' instances.
(assert (= (received3_III next rank i) (sent3_III group rank i)))
(assert (or (not (= (owner_I i) rank)) (= (sent3_III group rank i) (whole2_II group i))))
(assert (= (owner_I i) rank))

(check-sat)
