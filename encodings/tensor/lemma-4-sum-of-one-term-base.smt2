; What rules take for granted of sums: sum of one term, base. A sum is any associative, commutative operation.
; Tensors of any size, cut in any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun case0 () Bool)
(declare-fun nothing () Value)
(declare-fun owner () Int)
(declare-fun term () Value)
(declare-fun zero () Int)

; sum of one term, base: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (not (not (>= owner zero)))))
(assert (or (not case0) (not (= (ite (not (>= owner zero)) term nothing) nothing))))

; Some case is chosen.
(assert case0)

(check-sat)
