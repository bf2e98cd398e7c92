; What transforms rest on: a gather of parts. Tensors of any size, cut in any way, on any number of ranks; a case
; per claim.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun case0 () Bool)
(declare-fun computed2_II (Int Int) Value)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun whole1_I (Int) Value)

; a gather of parts: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (or (not (= (owner_I i) rank)) (= (computed2_II rank i) (whole1_I i)))))
(assert (or (not case0) (= (owner_I i) rank)))
(assert (or (not case0) (not (= (computed2_II rank i) (whole1_I i)))))

; Some case is chosen.
(assert case0)

(check-sat)
