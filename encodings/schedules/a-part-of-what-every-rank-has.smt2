; What transforms rest on: a part of what every rank has. Tensors of any size, cut in any way, on any number of
; ranks; a case per claim.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun beyond_x2_II (Int Int) Value)
(declare-fun case0 () Bool)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun whole1_I (Int) Value)

; a part of what every rank has: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (not (or (not (= (owner_I i) rank)) (= (ite (= (owner_I i) rank) (whole1_I i) (beyond_x2_II
  rank i)) (whole1_I i))))))

; Some case is chosen.
(assert case0)

(check-sat)
