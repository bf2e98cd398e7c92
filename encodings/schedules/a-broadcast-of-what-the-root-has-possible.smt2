; What transforms rest on: a broadcast of what the root has. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun i () Int)
(declare-fun rank () Int)
(declare-fun rest2_II (Int Int) Value)
(declare-fun root () Int)

; a broadcast of what the root has: the lemmas' instances.
(assert (= (rest2_II rank i) (rest2_II root i)))

(check-sat)
