; What transforms rest on: a gather of slices. Tensors of any size, cut in any way, on any number of ranks; a case
; per claim.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun beyond_x2_II (Int Int) Value)
(declare-fun beyond_y2_II (Int Int) Value)
(declare-fun case0 () Bool)
(declare-fun gathered1_I (Int) Value)
(declare-fun i () Int)
(declare-fun other () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun whole1_I (Int) Value)
(declare-fun y2_II (Int Int) Value)

; a gather of slices: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (owner_I i) rank)))
(assert (or (not case0) (= (owner_I i) other)))
(assert (or (not case0) (= (gathered1_I i) (y2_II other i))))
(assert (or (not case0) (not (and (= (ite (= (owner_I i) rank) (whole1_I i) (beyond_x2_II rank i)) (whole1_I i)) (=
  (ite (= (owner_I i) rank) (gathered1_I i) (beyond_y2_II rank i)) (y2_II rank i))))))

; Some case is chosen.
(assert case0)

(check-sat)
