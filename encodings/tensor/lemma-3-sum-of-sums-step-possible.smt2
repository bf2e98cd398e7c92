; What rules take for granted of sums: sum of sums, step. A sum is any associative, commutative operation. The
; assumptions of the proofs, all at once.
;
; Source: the layouts of tensor programs
; Sat: the assumptions can hold together.
; Unsat: the proofs are vacuous.
; Built by: p2smt.tensor.rules.catalogue.all_scripts
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-fun a () Value)
(declare-fun b () Value)
(declare-fun both () Value)
(declare-fun left () Value)
(declare-fun plus2_VV (Value Value) Value)
(declare-fun right () Value)

; sum of sums, step: the lemmas' instances.
(assert (= both (plus2_VV left right)))
(assert (= (plus2_VV (plus2_VV left right) (plus2_VV a b)) (plus2_VV left (plus2_VV right (plus2_VV a b)))))
(assert (= (plus2_VV (plus2_VV right a) b) (plus2_VV right (plus2_VV a b))))
(assert (= (plus2_VV right a) (plus2_VV a right)))
(assert (= (plus2_VV (plus2_VV a right) b) (plus2_VV a (plus2_VV right b))))
(assert (= (plus2_VV (plus2_VV left a) (plus2_VV right b)) (plus2_VV left (plus2_VV a (plus2_VV right b)))))

(check-sat)
