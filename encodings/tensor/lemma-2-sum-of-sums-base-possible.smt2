; What rules take for granted of sums: sum of sums, base. A sum is any associative, commutative operation. What the
; proofs assume, all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun nothing () Value)
(declare-fun plus2_VV (Value Value) Value)

; sum of sums, base: the lemmas' instances.
(assert (= (plus2_VV nothing nothing) nothing))

(check-sat)
