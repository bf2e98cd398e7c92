; What transforms rest on: a broadcast of what the root has. Tensors of any size, cut in any way, on any number of
; ranks; a case per claim.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun case0 () Bool)
(declare-fun i () Int)
(declare-fun nothing1_I (Int) Value)
(declare-fun rank () Int)
(declare-fun rest2_II (Int Int) Value)
(declare-fun root () Int)
(declare-fun s2_VV (Value Value) Value)
(declare-fun x1_I (Int) Value)

; a broadcast of what the root has: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (rest2_II rank i) (rest2_II root i))))
(assert (or (not case0) (not (= (s2_VV (ite (= root root) (x1_I i) (nothing1_I root)) (rest2_II root i)) (s2_VV
  (x1_I i) (rest2_II rank i))))))

; Some case is chosen.
(assert case0)

(check-sat)
