; What rules take for granted of sums: sum of sums, base. A sum is any associative, commutative operation. Tensors
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
(declare-fun case0 () Bool)
(declare-fun nothing () Value)
(declare-fun plus2_VV (Value Value) Value)

; sum of sums, base: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (plus2_VV nothing nothing) nothing)))
(assert (or (not case0) (not (= (plus2_VV nothing nothing) nothing))))

; Some case is chosen.
(assert case0)

(check-sat)
