; What rules take for granted of sums: partition, step. A sum is any associative, commutative operation. Tensors of
; any size, cut in any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun at_owner () Value)
(declare-fun case0 () Bool)
(declare-fun grown () Value)
(declare-fun nothing () Value)
(declare-fun owner () Int)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun ranks () Int)
(declare-fun shares () Value)
(declare-fun so_far () Value)
(declare-fun term () Value)

; partition, step: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= shares so_far)))
(assert (or (not case0) (= grown (plus2_VV shares at_owner))))
(assert (or (not case0) (= at_owner (ite (not (>= owner ranks)) term nothing))))
(assert (or (not case0) (not (>= owner ranks))))
(assert (or (not case0) (not (= grown (plus2_VV so_far term)))))

; Some case is chosen.
(assert case0)

(check-sat)
