; What rules take for granted of sums: sum of nothing, step. A sum is any associative, commutative operation. What
; the proofs assume, all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun nothing () Value)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun so_far () Value)

; sum of nothing, step: the lemmas' instances.
(assert (= so_far nothing))
(assert (= (plus2_VV nothing nothing) nothing))

(check-sat)
