; What rules take for granted of sums: partition, step. A sum is any associative, commutative operation. What the
; proofs assume, all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun at_owner () Value)
(declare-fun grown () Value)
(declare-fun nothing () Value)
(declare-fun owner () Int)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun ranks () Int)
(declare-fun shares () Value)
(declare-fun so_far () Value)
(declare-fun term () Value)

; partition, step: the lemmas' instances.
(assert (= shares so_far))
(assert (= grown (plus2_VV shares at_owner)))
(assert (= at_owner (ite (not (>= owner ranks)) term nothing)))
(assert (not (>= owner ranks)))

(check-sat)
