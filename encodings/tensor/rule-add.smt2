; Sums over ranks pass through an operation that is additive in its summands together. Tensors of any size, cut in
; any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.tensor.rules.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun case0 () Bool)
(declare-fun case1 () Bool)
(declare-fun case2 () Bool)
(declare-fun case3 () Bool)
(declare-fun case4 () Bool)
(declare-fun case5 () Bool)
(declare-fun i_d0 () Int)
(declare-fun i_d1 () Int)
(declare-fun i_d2 () Int)
(declare-fun i_d3 () Int)
(declare-fun operation4_IITT (Int Int TensorTable TensorTable) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIVVV (Int Int Value Value Value) Value)
(declare-fun operation9_IIVVVVVVV (Int Int Value Value Value Value Value Value Value) Value)
(declare-fun ranks0_2_II (Int Int) TensorTable)
(declare-fun ranks0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun summed0_2_II (Int Int) TensorTable)
(declare-fun summed1_2_II (Int Int) TensorTable)
(declare-fun summed2_2_II (Int Int) TensorTable)
(declare-fun summed5_1_I (Int) TensorTable)
(declare-fun summed6_1_I (Int) TensorTable)
(declare-fun together_row0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun together_row1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x1_2_II (Int Int) Value)
(declare-fun x2_1_I (Int) Value)
(declare-fun x3_1_I (Int) Value)
(declare-fun x4_1_I (Int) Value)

; ADD + in 0 + in 1 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (sum1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case0) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (sum1_T (summed1_2_II i_d0 i_d1)))))))

; ADD + in 0 + in 1 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (sum1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case1) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (sum1_T (summed1_2_II i_d0 i_d1)))))))

; ADD + in 1 + in 2 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (sum1_T
  (summed1_2_II i_d0 i_d1)) (sum1_T (summed2_2_II i_d0 i_d1))))))
(assert (or (not case2) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (sum1_T (summed1_2_II i_d0 i_d1)) (sum1_T (summed2_2_II i_d0 i_d1)))))))

; ADD + in 0 + in 1 of cat: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (sum1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (together_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3)))))
(assert (or (not case3) (not (= (sum1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (together_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3))))))

; ADD + in 0 + in 1 of update: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (sum1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case4) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (sum1_T (summed1_2_II i_d0 i_d1)))))))

; ADD + in 0 + in 5 + in 6 of batch_norm_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation9_IIVVVVVVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1) (x4_1_I i_d1) (sum1_T (summed5_1_I i_d1)) (sum1_T
  (summed6_1_I i_d1))))))
(assert (or (not case5) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation9_IIVVVVVVV i_d0 i_d1 (sum1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1) (x4_1_I i_d1) (sum1_T (summed5_1_I
  i_d1)) (sum1_T (summed6_1_I i_d1)))))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5))

(check-sat)
