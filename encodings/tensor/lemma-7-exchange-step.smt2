; What rules take for granted of sums: exchange, step. A sum is any associative, commutative operation. Tensors of
; any size, cut in any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun case0 () Bool)
(declare-fun grown () Value)
(declare-fun inside () Value)
(declare-fun outside () Value)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun term () Value)

; exchange, step: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= inside outside)))
(assert (or (not case0) (= grown (plus2_VV inside term))))
(assert (or (not case0) (not (= grown (plus2_VV outside term)))))

; Some case is chosen.
(assert case0)

(check-sat)
