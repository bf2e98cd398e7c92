; What rules take for granted of sums: sum of sums, step. A sum is any associative, commutative operation. Tensors
; of any size, cut in any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.tensor.rules.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun a () Value)
(declare-fun b () Value)
(declare-fun both () Value)
(declare-fun case0 () Bool)
(declare-fun left () Value)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun right () Value)

; sum of sums, step: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= both (plus2_VV left right))))
(assert (or (not case0) (= (plus2_VV (plus2_VV left right) (plus2_VV a b)) (plus2_VV left (plus2_VV right (plus2_VV
  a b))))))
(assert (or (not case0) (= (plus2_VV (plus2_VV right a) b) (plus2_VV right (plus2_VV a b)))))
(assert (or (not case0) (= (plus2_VV right a) (plus2_VV a right))))
(assert (or (not case0) (= (plus2_VV (plus2_VV a right) b) (plus2_VV a (plus2_VV right b)))))
(assert (or (not case0) (= (plus2_VV (plus2_VV left a) (plus2_VV right b)) (plus2_VV left (plus2_VV a (plus2_VV
  right b))))))
(assert (or (not case0) (not (= (plus2_VV both (plus2_VV a b)) (plus2_VV (plus2_VV left a) (plus2_VV right b))))))

; Some case is chosen.
(assert case0)

(check-sat)
