; What rules take for granted of sums: sum of one term, step. A sum is any associative, commutative operation. What
; the proofs assume, all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun n () Int)
(declare-fun nothing () Value)
(declare-fun owner () Int)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun so_far () Value)
(declare-fun term () Value)

; sum of one term, step: the lemmas' instances.
(assert (= so_far (ite (not (>= owner n)) term nothing)))
(assert (= (plus2_VV nothing term) term))
(assert (= (plus2_VV term nothing) term))
(assert (= (plus2_VV nothing nothing) nothing))

(check-sat)
