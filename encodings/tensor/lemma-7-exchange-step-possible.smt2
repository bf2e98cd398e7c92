; What rules take for granted of sums: exchange, step. A sum is any associative, commutative operation. What the
; proofs assume, all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun grown () Value)
(declare-fun inside () Value)
(declare-fun outside () Value)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun term () Value)

; exchange, step: the lemmas' instances.
(assert (= inside outside))
(assert (= grown (plus2_VV inside term)))

(check-sat)
