; Where a reduced label is cut, the reduction of the ranks' results is the result. Tensors of any size, cut in any
; way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_0_0 () Int)
(declare-fun any_0_1 () Int)
(declare-fun any_1_0 () Int)
(declare-fun any_1_1 () Int)
(declare-fun any_2_0 () Int)
(declare-fun any_2_1 () Int)
(declare-fun any_3_0 () Int)
(declare-fun any_3_1 () Int)
(declare-fun any_4_0 () Int)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun any_index () Int)
(declare-fun any_rank () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun at3_TII (TensorTable Int Int) Value)
(declare-fun beyond0_3_III (Int Int Int) Value)
(declare-fun beyond0_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond0_6_IIIIII (Int Int Int Int Int Int) Value)
(declare-fun beyond1_2_II (Int Int) Value)
(declare-fun beyond1_3_III (Int Int Int) Value)
(declare-fun beyond1_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond1_6_IIIIII (Int Int Int Int Int Int) Value)
(declare-fun beyond4_5_IIIII (Int Int Int Int Int) Value)
(declare-fun case0 () Bool)
(declare-fun case1 () Bool)
(declare-fun case10 () Bool)
(declare-fun case11 () Bool)
(declare-fun case12 () Bool)
(declare-fun case13 () Bool)
(declare-fun case14 () Bool)
(declare-fun case15 () Bool)
(declare-fun case16 () Bool)
(declare-fun case17 () Bool)
(declare-fun case18 () Bool)
(declare-fun case19 () Bool)
(declare-fun case2 () Bool)
(declare-fun case20 () Bool)
(declare-fun case21 () Bool)
(declare-fun case22 () Bool)
(declare-fun case23 () Bool)
(declare-fun case24 () Bool)
(declare-fun case25 () Bool)
(declare-fun case26 () Bool)
(declare-fun case27 () Bool)
(declare-fun case3 () Bool)
(declare-fun case4 () Bool)
(declare-fun case5 () Bool)
(declare-fun case6 () Bool)
(declare-fun case7 () Bool)
(declare-fun case8 () Bool)
(declare-fun case9 () Bool)
(declare-fun i_d0 () Int)
(declare-fun i_d1 () Int)
(declare-fun i_d2 () Int)
(declare-fun i_d3 () Int)
(declare-fun i_d4 () Int)
(declare-fun i_d5 () Int)
(declare-fun i_d6 () Int)
(declare-fun i_d7 () Int)
(declare-fun i_d8 () Int)
(declare-fun i_d9 () Int)
(declare-fun largest1_T (TensorTable) Value)
(declare-fun local_d0_2_II (Int Int) TensorTable)
(declare-fun local_d0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_d1_2_II (Int Int) TensorTable)
(declare-fun local_d1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_ranks_ () TensorTable)
(declare-fun local_ranks_1_I (Int) TensorTable)
(declare-fun local_ranks_2_II (Int Int) TensorTable)
(declare-fun local_ranks_3_III (Int Int Int) TensorTable)
(declare-fun local_ranks_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun local_ranks_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_ranks_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_11_IIIIIIIIIII (Int Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_3_III (Int Int Int) TensorTable)
(declare-fun local_row0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_11_IIIIIIIIIII (Int Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_3_III (Int Int Int) TensorTable)
(declare-fun local_row1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row2_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row3_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row4_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_shares_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_shares_1_I (Int) TensorTable)
(declare-fun local_shares_2_II (Int Int) TensorTable)
(declare-fun local_shares_3_III (Int Int Int) TensorTable)
(declare-fun local_shares_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_shares_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_shares_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun nothing_largest () Value)
(declare-fun nothing_smallest () Value)
(declare-fun nothing_sum () Value)
(declare-fun operation10_IIIIITTTTT (Int Int Int Int Int TensorTable TensorTable TensorTable TensorTable TensorTable) Value)
(declare-fun operation10_IIIIIVTTTV (Int Int Int Int Int Value TensorTable TensorTable TensorTable Value) Value)
(declare-fun operation3_IIV (Int Int Value) Value)
(declare-fun operation4_IITT (Int Int TensorTable TensorTable) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIIV (Int Int Int Int Value) Value)
(declare-fun operation5_IIIVV (Int Int Int Value Value) Value)
(declare-fun operation6_IIIIVV (Int Int Int Int Value Value) Value)
(declare-fun operation6_IIVVVV (Int Int Value Value Value Value) Value)
(declare-fun operation7_IIIIITT (Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation8_IIIIIITT (Int Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun owner_d0_I (Int) Int)
(declare-fun owner_d1_I (Int) Int)
(declare-fun owner_d2_I (Int) Int)
(declare-fun smallest1_T (TensorTable) Value)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun whole_d0_ () TensorTable)
(declare-fun whole_d0_1_I (Int) TensorTable)
(declare-fun whole_d0_2_II (Int Int) TensorTable)
(declare-fun whole_d0_3_III (Int Int Int) TensorTable)
(declare-fun whole_d0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d1_ () TensorTable)
(declare-fun whole_d1_1_I (Int) TensorTable)
(declare-fun whole_d1_2_II (Int Int) TensorTable)
(declare-fun whole_d1_3_III (Int Int Int) TensorTable)
(declare-fun whole_d1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d2_3_III (Int Int Int) TensorTable)
(declare-fun whole_d2_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d2_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_ranks_ () TensorTable)
(declare-fun whole_ranks_1_I (Int) TensorTable)
(declare-fun whole_ranks_2_II (Int Int) TensorTable)
(declare-fun whole_ranks_3_III (Int Int Int) TensorTable)
(declare-fun whole_ranks_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_ranks_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_ranks_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_2_II (Int Int) TensorTable)
(declare-fun whole_row0_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_2_II (Int Int) TensorTable)
(declare-fun whole_row1_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row2_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row3_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row4_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_shares_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_shares_1_I (Int) TensorTable)
(declare-fun whole_shares_2_II (Int Int) TensorTable)
(declare-fun whole_shares_3_III (Int Int Int) TensorTable)
(declare-fun whole_shares_4_IIII (Int Int Int Int) TensorTable)
(declare-fun whole_shares_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_shares_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x0_4_IIII (Int Int Int Int) Value)
(declare-fun x0_5_IIIII (Int Int Int Int Int) Value)
(declare-fun x1_1_I (Int) Value)
(declare-fun x1_2_II (Int Int) Value)
(declare-fun x1_4_IIII (Int Int Int Int) Value)
(declare-fun x1_5_IIIII (Int Int Int Int Int) Value)
(declare-fun x2_1_I (Int) Value)
(declare-fun x2_4_IIII (Int Int Int Int) Value)
(declare-fun x3_1_I (Int) Value)
(declare-fun x3_4_IIII (Int Int Int Int) Value)
(declare-fun x4_4_IIII (Int Int Int Int) Value)

; RED d1 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (sum1_T (whole_ranks_2_II i_d0 i_d2)) (sum1_T (whole_d1_2_II i_d0 i_d2)))))
(assert (or (not case0) (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (local_shares_3_III any_rank i_d0
  i_d2)))))
(assert (or (not case0) (= (at2_TI (whole_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (whole_shares_3_III any_rank i_d0
  i_d2)))))
(assert (or (not case0) (or (not (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (at2_TI (whole_ranks_2_II i_d0
  i_d2) any_rank))) (= (local_ranks_2_II i_d0 i_d2) (whole_ranks_2_II i_d0 i_d2)))))
(assert (or (not case0) (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index)
  any_rank) (operation5_IIIVV i_d0 any_index i_d2 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II i_d0 any_index)
  (beyond0_3_III any_rank i_d0 any_index)) (ite (= (owner_d1_I any_index) any_rank) (x1_2_II any_index i_d2)
  (beyond1_3_III any_rank any_index i_d2))) nothing_sum))))
(assert (or (not case0) (= (at2_TI (whole_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index)
  any_rank) (operation5_IIIVV i_d0 any_index i_d2 (x0_2_II i_d0 any_index) (x1_2_II any_index i_d2)) nothing_sum))))
(assert (or (not case0) (or (not (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d0 i_d2) any_index))) (= (local_shares_3_III any_rank i_d0 i_d2)
  (whole_shares_3_III any_rank i_d0 i_d2)))))
(assert (or (not case0) (not (= (sum1_T (local_ranks_2_II i_d0 i_d2)) (sum1_T (whole_d1_2_II i_d0 i_d2))))))

; RED d1 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (sum1_T (whole_ranks_2_II i_d0 i_d2)) (sum1_T (whole_d1_2_II i_d0 i_d2)))))
(assert (or (not case1) (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (local_shares_3_III any_rank i_d0
  i_d2)))))
(assert (or (not case1) (= (at2_TI (whole_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (whole_shares_3_III any_rank i_d0
  i_d2)))))
(assert (or (not case1) (or (not (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (at2_TI (whole_ranks_2_II i_d0
  i_d2) any_rank))) (= (local_ranks_2_II i_d0 i_d2) (whole_ranks_2_II i_d0 i_d2)))))
(assert (or (not case1) (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index)
  any_rank) (operation5_IIIVV i_d0 any_index i_d2 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II i_d0 any_index)
  (beyond0_3_III any_rank i_d0 any_index)) (ite (= (owner_d1_I any_index) any_rank) (x1_2_II i_d2 any_index)
  (beyond1_3_III any_rank i_d2 any_index))) nothing_sum))))
(assert (or (not case1) (= (at2_TI (whole_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index)
  any_rank) (operation5_IIIVV i_d0 any_index i_d2 (x0_2_II i_d0 any_index) (x1_2_II i_d2 any_index)) nothing_sum))))
(assert (or (not case1) (or (not (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d0 i_d2) any_index))) (= (local_shares_3_III any_rank i_d0 i_d2)
  (whole_shares_3_III any_rank i_d0 i_d2)))))
(assert (or (not case1) (not (= (sum1_T (local_ranks_2_II i_d0 i_d2)) (sum1_T (whole_d1_2_II i_d0 i_d2))))))

; RED d1 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (sum1_T (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case2) (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank)
  (sum1_T (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case2) (= (at2_TI (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank)
  (sum1_T (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case2) (or (not (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_rank) (at2_TI (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank))) (=
  (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case2) (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_index) (ite (= (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8
  (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (local_row1_10_IIIIIIIIII
  any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum))))
(assert (or (not case2) (= (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_index) (ite (= (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8
  (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_index
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum))))
(assert (or (not case2) (or (not (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_index) (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index)))
  (= (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_shares_9_IIIIIIIII any_rank
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case2) (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_0_0 any_0_1) (ite (= (owner_d1_I any_index) any_rank) (x0_4_IIII i_d0 any_index any_0_0 any_0_1)
  (beyond0_5_IIIII any_rank i_d0 any_index any_0_0 any_0_1)))))
(assert (or (not case2) (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (x0_4_IIII i_d0 any_index any_0_0 any_0_1))))
(assert (or (not case2) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case2) (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_1_0 any_1_1) (ite (= (owner_d1_I any_index) any_rank) (x1_4_IIII i_d4 any_index any_1_0 any_1_1)
  (beyond1_5_IIIII any_rank i_d4 any_index any_1_0 any_1_1)))))
(assert (or (not case2) (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (x1_4_IIII i_d4 any_index any_1_0 any_1_1))))
(assert (or (not case2) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case2) (not (= (sum1_T (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; RED d1 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (sum1_T (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case3) (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank)
  (sum1_T (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case3) (= (at2_TI (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank)
  (sum1_T (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case3) (or (not (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_rank) (at2_TI (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank))) (=
  (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case3) (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_index) (ite (= (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8
  (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (local_row1_10_IIIIIIIIII
  any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum))))
(assert (or (not case3) (= (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_index) (ite (= (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8
  (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_index
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum))))
(assert (or (not case3) (or (not (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_index) (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index)))
  (= (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_shares_9_IIIIIIIII any_rank
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case3) (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_0_0 any_0_1) (ite (= (owner_d1_I any_index) any_rank) (x0_4_IIII i_d0 any_index any_0_0 any_0_1)
  (beyond0_5_IIIII any_rank i_d0 any_index any_0_0 any_0_1)))))
(assert (or (not case3) (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (x0_4_IIII i_d0 any_index any_0_0 any_0_1))))
(assert (or (not case3) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case3) (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_1_0 any_1_1) (ite (= (owner_d1_I any_index) any_rank) (x1_4_IIII any_index i_d4 any_1_0 any_1_1)
  (beyond1_5_IIIII any_rank any_index i_d4 any_1_0 any_1_1)))))
(assert (or (not case3) (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (x1_4_IIII any_index i_d4 any_1_0 any_1_1))))
(assert (or (not case3) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case3) (not (= (sum1_T (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; RED d0 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (sum1_T (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at2_TI (local_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank)
  (sum1_T (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at2_TI (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank)
  (sum1_T (whole_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (or (not (= (at2_TI (local_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_rank) (at2_TI (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank))) (=
  (local_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_index) (ite (= (owner_d0_I any_index) any_rank) (operation7_IIIIITT any_index i_d1 i_d4 i_d7 i_d8
  (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (local_row1_10_IIIIIIIIII
  any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum))))
(assert (or (not case4) (= (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_index) (ite (= (owner_d0_I any_index) any_rank) (operation7_IIIIITT any_index i_d1 i_d4 i_d7 i_d8
  (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII any_index i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum))))
(assert (or (not case4) (or (not (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_index) (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index)))
  (= (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_shares_9_IIIIIIIII any_rank
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at3_TII (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_0_0 any_0_1) (ite (= (owner_d0_I any_index) any_rank) (x0_4_IIII any_index i_d1 any_0_0 any_0_1)
  (beyond0_5_IIIII any_rank any_index i_d1 any_0_0 any_0_1)))))
(assert (or (not case4) (= (at3_TII (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (x0_4_IIII any_index i_d1 any_0_0 any_0_1))))
(assert (or (not case4) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at3_TII (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_1_0 any_1_1) (ite (= (owner_d0_I any_index) any_rank) (x1_4_IIII any_index i_d4 any_1_0 any_1_1)
  (beyond1_5_IIIII any_rank any_index i_d4 any_1_0 any_1_1)))))
(assert (or (not case4) (= (at3_TII (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (x1_4_IIII any_index i_d4 any_1_0 any_1_1))))
(assert (or (not case4) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (not (= (sum1_T (local_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; RED d2 of grouped_conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (sum1_T (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank)
  (sum1_T (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (= (at2_TI (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank)
  (sum1_T (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (or (not (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_rank) (at2_TI (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank))) (=
  (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_index) (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum))))
(assert (or (not case5) (= (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_index) (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0
  i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum))))
(assert (or (not case5) (or (not (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_index) (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_index))) (= (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_0_0 any_0_1) (ite (= (owner_d2_I any_index) any_rank) (x0_5_IIIII i_d0 i_d1 any_index any_0_0
  any_0_1) (beyond0_6_IIIIII any_rank i_d0 i_d1 any_index any_0_0 any_0_1)))))
(assert (or (not case5) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_index any_0_0 any_0_1))))
(assert (or (not case5) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_1_0 any_1_1) (ite (= (owner_d2_I any_index) any_rank) (x1_5_IIIII i_d1 i_d5 any_index any_1_0
  any_1_1) (beyond1_6_IIIIII any_rank i_d1 i_d5 any_index any_1_0 any_1_1)))))
(assert (or (not case5) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (x1_5_IIIII i_d1 i_d5 any_index any_1_0 any_1_1))))
(assert (or (not case5) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case5) (not (= (sum1_T (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; RED d2 of grouped_conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case6) (= (sum1_T (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank)
  (sum1_T (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (= (at2_TI (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank)
  (sum1_T (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (or (not (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_rank) (at2_TI (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank))) (=
  (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_index) (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum))))
(assert (or (not case6) (= (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_index) (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0
  i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum))))
(assert (or (not case6) (or (not (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_index) (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_index))) (= (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_0_0 any_0_1) (ite (= (owner_d2_I any_index) any_rank) (x0_5_IIIII i_d0 i_d1 any_index any_0_0
  any_0_1) (beyond0_6_IIIIII any_rank i_d0 i_d1 any_index any_0_0 any_0_1)))))
(assert (or (not case6) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_index any_0_0 any_0_1))))
(assert (or (not case6) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_1_0 any_1_1) (ite (= (owner_d2_I any_index) any_rank) (x1_5_IIIII i_d1 any_index i_d5 any_1_0
  any_1_1) (beyond1_6_IIIIII any_rank i_d1 any_index i_d5 any_1_0 any_1_1)))))
(assert (or (not case6) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (x1_5_IIIII i_d1 any_index i_d5 any_1_0 any_1_1))))
(assert (or (not case6) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case6) (not (= (sum1_T (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; RED d0 of grouped_conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case7) (= (sum1_T (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (= (at2_TI (local_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank)
  (sum1_T (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (= (at2_TI (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank)
  (sum1_T (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (or (not (= (at2_TI (local_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_rank) (at2_TI (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank))) (=
  (local_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_index) (ite (= (owner_d0_I any_index) any_rank) (operation8_IIIIIITT any_index i_d1 i_d2 i_d5 i_d8 i_d9
  (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum))))
(assert (or (not case7) (= (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_index) (ite (= (owner_d0_I any_index) any_rank) (operation8_IIIIIITT any_index i_d1 i_d2 i_d5 i_d8 i_d9
  (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII
  any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum))))
(assert (or (not case7) (or (not (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_index) (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_index))) (= (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_0_0 any_0_1) (ite (= (owner_d0_I any_index) any_rank) (x0_5_IIIII any_index i_d1 i_d2 any_0_0
  any_0_1) (beyond0_6_IIIIII any_rank any_index i_d1 i_d2 any_0_0 any_0_1)))))
(assert (or (not case7) (= (at3_TII (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (x0_5_IIIII any_index i_d1 i_d2 any_0_0 any_0_1))))
(assert (or (not case7) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8 i_d9) any_1_0 any_1_1) (ite (= (owner_d0_I any_index) any_rank) (x1_5_IIIII any_index i_d1 i_d5 any_1_0
  any_1_1) (beyond1_6_IIIIII any_rank any_index i_d1 i_d5 any_1_0 any_1_1)))))
(assert (or (not case7) (= (at3_TII (whole_row1_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (x1_5_IIIII any_index i_d1 i_d5 any_1_0 any_1_1))))
(assert (or (not case7) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case7) (not (= (sum1_T (local_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (sum1_T (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; RED d0 of sum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case8) (= (sum1_T whole_ranks_) (sum1_T whole_d0_))))
(assert (or (not case8) (= (at2_TI local_ranks_ any_rank) (sum1_T (local_shares_1_I any_rank)))))
(assert (or (not case8) (= (at2_TI whole_ranks_ any_rank) (sum1_T (whole_shares_1_I any_rank)))))
(assert (or (not case8) (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_
  whole_ranks_))))
(assert (or (not case8) (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (sum1_T (local_d1_2_II any_rank any_index)) nothing_sum))))
(assert (or (not case8) (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (sum1_T (whole_d1_1_I any_index)) nothing_sum))))
(assert (or (not case8) (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I
  any_rank) any_index))) (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank)))))
(assert (or (not case8) (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (operation3_IIV any_index any_d1 (ite
  (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index any_d1))))))
(assert (or (not case8) (= (at2_TI (whole_d1_1_I any_index) any_d1) (operation3_IIV any_index any_d1 (x0_2_II
  any_index any_d1)))))
(assert (or (not case8) (or (not (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (at2_TI (whole_d1_1_I
  any_index) any_d1))) (= (local_d1_2_II any_rank any_index) (whole_d1_1_I any_index)))))
(assert (or (not case8) (not (= (sum1_T local_ranks_) (sum1_T whole_d0_)))))

; RED d1 of sum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case9) (= (sum1_T whole_ranks_) (sum1_T whole_d1_))))
(assert (or (not case9) (= (at2_TI local_ranks_ any_rank) (sum1_T (local_shares_1_I any_rank)))))
(assert (or (not case9) (= (at2_TI whole_ranks_ any_rank) (sum1_T (whole_shares_1_I any_rank)))))
(assert (or (not case9) (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_
  whole_ranks_))))
(assert (or (not case9) (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (sum1_T (local_d0_2_II any_rank any_index)) nothing_sum))))
(assert (or (not case9) (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (sum1_T (whole_d0_1_I any_index)) nothing_sum))))
(assert (or (not case9) (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I
  any_rank) any_index))) (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank)))))
(assert (or (not case9) (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (operation3_IIV any_d0 any_index (ite
  (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0 any_index))))))
(assert (or (not case9) (= (at2_TI (whole_d0_1_I any_index) any_d0) (operation3_IIV any_d0 any_index (x0_2_II any_d0
  any_index)))))
(assert (or (not case9) (or (not (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (at2_TI (whole_d0_1_I
  any_index) any_d0))) (= (local_d0_2_II any_rank any_index) (whole_d0_1_I any_index)))))
(assert (or (not case9) (not (= (sum1_T local_ranks_) (sum1_T whole_d1_)))))

; RED d0 of max: the lemmas' instances, and that the claim does not hold.
(assert (or (not case10) (= (largest1_T whole_ranks_) (largest1_T whole_d0_))))
(assert (or (not case10) (= (at2_TI local_ranks_ any_rank) (largest1_T (local_shares_1_I any_rank)))))
(assert (or (not case10) (= (at2_TI whole_ranks_ any_rank) (largest1_T (whole_shares_1_I any_rank)))))
(assert (or (not case10) (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_
  whole_ranks_))))
(assert (or (not case10) (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (largest1_T (local_d1_2_II any_rank any_index)) nothing_largest))))
(assert (or (not case10) (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (largest1_T (whole_d1_1_I any_index)) nothing_largest))))
(assert (or (not case10) (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I
  any_rank) any_index))) (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank)))))
(assert (or (not case10) (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (operation3_IIV any_index any_d1 (ite
  (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index any_d1))))))
(assert (or (not case10) (= (at2_TI (whole_d1_1_I any_index) any_d1) (operation3_IIV any_index any_d1 (x0_2_II
  any_index any_d1)))))
(assert (or (not case10) (or (not (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (at2_TI (whole_d1_1_I
  any_index) any_d1))) (= (local_d1_2_II any_rank any_index) (whole_d1_1_I any_index)))))
(assert (or (not case10) (not (= (largest1_T local_ranks_) (largest1_T whole_d0_)))))

; RED d1 of max: the lemmas' instances, and that the claim does not hold.
(assert (or (not case11) (= (largest1_T whole_ranks_) (largest1_T whole_d1_))))
(assert (or (not case11) (= (at2_TI local_ranks_ any_rank) (largest1_T (local_shares_1_I any_rank)))))
(assert (or (not case11) (= (at2_TI whole_ranks_ any_rank) (largest1_T (whole_shares_1_I any_rank)))))
(assert (or (not case11) (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_
  whole_ranks_))))
(assert (or (not case11) (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (largest1_T (local_d0_2_II any_rank any_index)) nothing_largest))))
(assert (or (not case11) (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (largest1_T (whole_d0_1_I any_index)) nothing_largest))))
(assert (or (not case11) (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I
  any_rank) any_index))) (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank)))))
(assert (or (not case11) (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (operation3_IIV any_d0 any_index (ite
  (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0 any_index))))))
(assert (or (not case11) (= (at2_TI (whole_d0_1_I any_index) any_d0) (operation3_IIV any_d0 any_index (x0_2_II
  any_d0 any_index)))))
(assert (or (not case11) (or (not (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (at2_TI (whole_d0_1_I
  any_index) any_d0))) (= (local_d0_2_II any_rank any_index) (whole_d0_1_I any_index)))))
(assert (or (not case11) (not (= (largest1_T local_ranks_) (largest1_T whole_d1_)))))

; RED d0 of min: the lemmas' instances, and that the claim does not hold.
(assert (or (not case12) (= (smallest1_T whole_ranks_) (smallest1_T whole_d0_))))
(assert (or (not case12) (= (at2_TI local_ranks_ any_rank) (smallest1_T (local_shares_1_I any_rank)))))
(assert (or (not case12) (= (at2_TI whole_ranks_ any_rank) (smallest1_T (whole_shares_1_I any_rank)))))
(assert (or (not case12) (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_
  whole_ranks_))))
(assert (or (not case12) (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (smallest1_T (local_d1_2_II any_rank any_index)) nothing_smallest))))
(assert (or (not case12) (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (smallest1_T (whole_d1_1_I any_index)) nothing_smallest))))
(assert (or (not case12) (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I
  any_rank) any_index))) (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank)))))
(assert (or (not case12) (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (operation3_IIV any_index any_d1 (ite
  (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index any_d1))))))
(assert (or (not case12) (= (at2_TI (whole_d1_1_I any_index) any_d1) (operation3_IIV any_index any_d1 (x0_2_II
  any_index any_d1)))))
(assert (or (not case12) (or (not (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (at2_TI (whole_d1_1_I
  any_index) any_d1))) (= (local_d1_2_II any_rank any_index) (whole_d1_1_I any_index)))))
(assert (or (not case12) (not (= (smallest1_T local_ranks_) (smallest1_T whole_d0_)))))

; RED d1 of min: the lemmas' instances, and that the claim does not hold.
(assert (or (not case13) (= (smallest1_T whole_ranks_) (smallest1_T whole_d1_))))
(assert (or (not case13) (= (at2_TI local_ranks_ any_rank) (smallest1_T (local_shares_1_I any_rank)))))
(assert (or (not case13) (= (at2_TI whole_ranks_ any_rank) (smallest1_T (whole_shares_1_I any_rank)))))
(assert (or (not case13) (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_
  whole_ranks_))))
(assert (or (not case13) (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (smallest1_T (local_d0_2_II any_rank any_index)) nothing_smallest))))
(assert (or (not case13) (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (smallest1_T (whole_d0_1_I any_index)) nothing_smallest))))
(assert (or (not case13) (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I
  any_rank) any_index))) (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank)))))
(assert (or (not case13) (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (operation3_IIV any_d0 any_index (ite
  (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0 any_index))))))
(assert (or (not case13) (= (at2_TI (whole_d0_1_I any_index) any_d0) (operation3_IIV any_d0 any_index (x0_2_II
  any_d0 any_index)))))
(assert (or (not case13) (or (not (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (at2_TI (whole_d0_1_I
  any_index) any_d0))) (= (local_d0_2_II any_rank any_index) (whole_d0_1_I any_index)))))
(assert (or (not case13) (not (= (smallest1_T local_ranks_) (smallest1_T whole_d1_)))))

; RED d0 of sum_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case14) (= (sum1_T (whole_ranks_2_II i_d2 i_d3)) (sum1_T (whole_d0_2_II i_d2 i_d3)))))
(assert (or (not case14) (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (local_shares_3_III any_rank i_d2
  i_d3)))))
(assert (or (not case14) (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (whole_shares_3_III any_rank i_d2
  i_d3)))))
(assert (or (not case14) (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2
  i_d3) any_rank))) (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3)))))
(assert (or (not case14) (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (sum1_T (local_d1_4_IIII any_rank any_index i_d2 i_d3)) nothing_sum))))
(assert (or (not case14) (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (sum1_T (whole_d1_3_III any_index i_d2 i_d3)) nothing_sum))))
(assert (or (not case14) (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3)
  (whole_shares_3_III any_rank i_d2 i_d3)))))
(assert (or (not case14) (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (operation5_IIIIV
  any_index any_d1 i_d2 i_d3 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III
  any_rank any_index any_d1))))))
(assert (or (not case14) (= (at2_TI (whole_d1_3_III any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1
  i_d2 i_d3 (x0_2_II any_index any_d1)))))
(assert (or (not case14) (or (not (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (at2_TI
  (whole_d1_3_III any_index i_d2 i_d3) any_d1))) (= (local_d1_4_IIII any_rank any_index i_d2 i_d3) (whole_d1_3_III
  any_index i_d2 i_d3)))))
(assert (or (not case14) (not (= (sum1_T (local_ranks_2_II i_d2 i_d3)) (sum1_T (whole_d0_2_II i_d2 i_d3))))))

; RED d1 of sum_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case15) (= (sum1_T (whole_ranks_2_II i_d2 i_d3)) (sum1_T (whole_d1_2_II i_d2 i_d3)))))
(assert (or (not case15) (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (local_shares_3_III any_rank i_d2
  i_d3)))))
(assert (or (not case15) (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (whole_shares_3_III any_rank i_d2
  i_d3)))))
(assert (or (not case15) (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2
  i_d3) any_rank))) (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3)))))
(assert (or (not case15) (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I
  any_index) any_rank) (sum1_T (local_d0_4_IIII any_rank any_index i_d2 i_d3)) nothing_sum))))
(assert (or (not case15) (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I
  any_index) any_rank) (sum1_T (whole_d0_3_III any_index i_d2 i_d3)) nothing_sum))))
(assert (or (not case15) (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3)
  (whole_shares_3_III any_rank i_d2 i_d3)))))
(assert (or (not case15) (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0
  any_index i_d2 i_d3 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank
  any_d0 any_index))))))
(assert (or (not case15) (= (at2_TI (whole_d0_3_III any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index
  i_d2 i_d3 (x0_2_II any_d0 any_index)))))
(assert (or (not case15) (or (not (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (at2_TI
  (whole_d0_3_III any_index i_d2 i_d3) any_d0))) (= (local_d0_4_IIII any_rank any_index i_d2 i_d3) (whole_d0_3_III
  any_index i_d2 i_d3)))))
(assert (or (not case15) (not (= (sum1_T (local_ranks_2_II i_d2 i_d3)) (sum1_T (whole_d1_2_II i_d2 i_d3))))))

; RED d0 of max_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case16) (= (largest1_T (whole_ranks_2_II i_d2 i_d3)) (largest1_T (whole_d0_2_II i_d2 i_d3)))))
(assert (or (not case16) (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (local_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case16) (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (whole_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case16) (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2
  i_d3) any_rank))) (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3)))))
(assert (or (not case16) (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (largest1_T (local_d1_4_IIII any_rank any_index i_d2 i_d3)) nothing_largest))))
(assert (or (not case16) (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (largest1_T (whole_d1_3_III any_index i_d2 i_d3)) nothing_largest))))
(assert (or (not case16) (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3)
  (whole_shares_3_III any_rank i_d2 i_d3)))))
(assert (or (not case16) (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (operation5_IIIIV
  any_index any_d1 i_d2 i_d3 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III
  any_rank any_index any_d1))))))
(assert (or (not case16) (= (at2_TI (whole_d1_3_III any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1
  i_d2 i_d3 (x0_2_II any_index any_d1)))))
(assert (or (not case16) (or (not (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (at2_TI
  (whole_d1_3_III any_index i_d2 i_d3) any_d1))) (= (local_d1_4_IIII any_rank any_index i_d2 i_d3) (whole_d1_3_III
  any_index i_d2 i_d3)))))
(assert (or (not case16) (not (= (largest1_T (local_ranks_2_II i_d2 i_d3)) (largest1_T (whole_d0_2_II i_d2
  i_d3))))))

; RED d1 of max_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case17) (= (largest1_T (whole_ranks_2_II i_d2 i_d3)) (largest1_T (whole_d1_2_II i_d2 i_d3)))))
(assert (or (not case17) (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (local_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case17) (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (whole_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case17) (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2
  i_d3) any_rank))) (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3)))))
(assert (or (not case17) (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I
  any_index) any_rank) (largest1_T (local_d0_4_IIII any_rank any_index i_d2 i_d3)) nothing_largest))))
(assert (or (not case17) (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I
  any_index) any_rank) (largest1_T (whole_d0_3_III any_index i_d2 i_d3)) nothing_largest))))
(assert (or (not case17) (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3)
  (whole_shares_3_III any_rank i_d2 i_d3)))))
(assert (or (not case17) (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0
  any_index i_d2 i_d3 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank
  any_d0 any_index))))))
(assert (or (not case17) (= (at2_TI (whole_d0_3_III any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index
  i_d2 i_d3 (x0_2_II any_d0 any_index)))))
(assert (or (not case17) (or (not (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (at2_TI
  (whole_d0_3_III any_index i_d2 i_d3) any_d0))) (= (local_d0_4_IIII any_rank any_index i_d2 i_d3) (whole_d0_3_III
  any_index i_d2 i_d3)))))
(assert (or (not case17) (not (= (largest1_T (local_ranks_2_II i_d2 i_d3)) (largest1_T (whole_d1_2_II i_d2
  i_d3))))))

; RED d0 of min_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case18) (= (smallest1_T (whole_ranks_2_II i_d2 i_d3)) (smallest1_T (whole_d0_2_II i_d2 i_d3)))))
(assert (or (not case18) (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (local_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case18) (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (whole_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case18) (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2
  i_d3) any_rank))) (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3)))))
(assert (or (not case18) (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (smallest1_T (local_d1_4_IIII any_rank any_index i_d2 i_d3)) nothing_smallest))))
(assert (or (not case18) (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (smallest1_T (whole_d1_3_III any_index i_d2 i_d3)) nothing_smallest))))
(assert (or (not case18) (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3)
  (whole_shares_3_III any_rank i_d2 i_d3)))))
(assert (or (not case18) (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (operation5_IIIIV
  any_index any_d1 i_d2 i_d3 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III
  any_rank any_index any_d1))))))
(assert (or (not case18) (= (at2_TI (whole_d1_3_III any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1
  i_d2 i_d3 (x0_2_II any_index any_d1)))))
(assert (or (not case18) (or (not (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (at2_TI
  (whole_d1_3_III any_index i_d2 i_d3) any_d1))) (= (local_d1_4_IIII any_rank any_index i_d2 i_d3) (whole_d1_3_III
  any_index i_d2 i_d3)))))
(assert (or (not case18) (not (= (smallest1_T (local_ranks_2_II i_d2 i_d3)) (smallest1_T (whole_d0_2_II i_d2
  i_d3))))))

; RED d1 of min_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case19) (= (smallest1_T (whole_ranks_2_II i_d2 i_d3)) (smallest1_T (whole_d1_2_II i_d2 i_d3)))))
(assert (or (not case19) (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (local_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case19) (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (whole_shares_3_III any_rank
  i_d2 i_d3)))))
(assert (or (not case19) (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2
  i_d3) any_rank))) (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3)))))
(assert (or (not case19) (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I
  any_index) any_rank) (smallest1_T (local_d0_4_IIII any_rank any_index i_d2 i_d3)) nothing_smallest))))
(assert (or (not case19) (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I
  any_index) any_rank) (smallest1_T (whole_d0_3_III any_index i_d2 i_d3)) nothing_smallest))))
(assert (or (not case19) (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3)
  (whole_shares_3_III any_rank i_d2 i_d3)))))
(assert (or (not case19) (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0
  any_index i_d2 i_d3 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank
  any_d0 any_index))))))
(assert (or (not case19) (= (at2_TI (whole_d0_3_III any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index
  i_d2 i_d3 (x0_2_II any_d0 any_index)))))
(assert (or (not case19) (or (not (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (at2_TI
  (whole_d0_3_III any_index i_d2 i_d3) any_d0))) (= (local_d0_4_IIII any_rank any_index i_d2 i_d3) (whole_d0_3_III
  any_index i_d2 i_d3)))))
(assert (or (not case19) (not (= (smallest1_T (local_ranks_2_II i_d2 i_d3)) (smallest1_T (whole_d1_2_II i_d2
  i_d3))))))

; RED d2 of embedding: the lemmas' instances, and that the claim does not hold.
(assert (or (not case20) (= (sum1_T (whole_ranks_3_III i_d0 i_d1 i_d3)) (sum1_T (whole_d2_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case20) (= (at2_TI (local_ranks_3_III i_d0 i_d1 i_d3) any_rank) (sum1_T (local_shares_4_IIII
  any_rank i_d0 i_d1 i_d3)))))
(assert (or (not case20) (= (at2_TI (whole_ranks_3_III i_d0 i_d1 i_d3) any_rank) (sum1_T (whole_shares_4_IIII
  any_rank i_d0 i_d1 i_d3)))))
(assert (or (not case20) (or (not (= (at2_TI (local_ranks_3_III i_d0 i_d1 i_d3) any_rank) (at2_TI (whole_ranks_3_III
  i_d0 i_d1 i_d3) any_rank))) (= (local_ranks_3_III i_d0 i_d1 i_d3) (whole_ranks_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case20) (= (at2_TI (local_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index) (ite (= (owner_d2_I
  any_index) any_rank) (operation6_IIIIVV i_d0 i_d1 any_index i_d3 (ite (= (owner_d2_I any_index) any_rank) (x0_2_II
  any_index i_d3) (beyond0_3_III any_rank any_index i_d3)) (x1_2_II i_d0 i_d1)) nothing_sum))))
(assert (or (not case20) (= (at2_TI (whole_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index) (ite (= (owner_d2_I
  any_index) any_rank) (operation6_IIIIVV i_d0 i_d1 any_index i_d3 (x0_2_II any_index i_d3) (x1_2_II i_d0 i_d1))
  nothing_sum))))
(assert (or (not case20) (or (not (= (at2_TI (local_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index) (at2_TI
  (whole_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index))) (= (local_shares_4_IIII any_rank i_d0 i_d1 i_d3)
  (whole_shares_4_IIII any_rank i_d0 i_d1 i_d3)))))
(assert (or (not case20) (not (= (sum1_T (local_ranks_3_III i_d0 i_d1 i_d3)) (sum1_T (whole_d2_3_III i_d0 i_d1
  i_d3))))))

; RED d1 of pick: the lemmas' instances, and that the claim does not hold.
(assert (or (not case21) (= (sum1_T (whole_ranks_1_I i_d0)) (sum1_T (whole_d1_1_I i_d0)))))
(assert (or (not case21) (= (at2_TI (local_ranks_1_I i_d0) any_rank) (sum1_T (local_shares_2_II any_rank i_d0)))))
(assert (or (not case21) (= (at2_TI (whole_ranks_1_I i_d0) any_rank) (sum1_T (whole_shares_2_II any_rank i_d0)))))
(assert (or (not case21) (or (not (= (at2_TI (local_ranks_1_I i_d0) any_rank) (at2_TI (whole_ranks_1_I i_d0)
  any_rank))) (= (local_ranks_1_I i_d0) (whole_ranks_1_I i_d0)))))
(assert (or (not case21) (= (at2_TI (local_shares_2_II any_rank i_d0) any_index) (ite (= (owner_d1_I any_index)
  any_rank) (operation4_IIVV i_d0 any_index (ite (= (owner_d1_I any_index) any_rank) (x0_2_II i_d0 any_index)
  (beyond0_3_III any_rank i_d0 any_index)) (x1_1_I i_d0)) nothing_sum))))
(assert (or (not case21) (= (at2_TI (whole_shares_2_II any_rank i_d0) any_index) (ite (= (owner_d1_I any_index)
  any_rank) (operation4_IIVV i_d0 any_index (x0_2_II i_d0 any_index) (x1_1_I i_d0)) nothing_sum))))
(assert (or (not case21) (or (not (= (at2_TI (local_shares_2_II any_rank i_d0) any_index) (at2_TI (whole_shares_2_II
  any_rank i_d0) any_index))) (= (local_shares_2_II any_rank i_d0) (whole_shares_2_II any_rank i_d0)))))
(assert (or (not case21) (not (= (sum1_T (local_ranks_1_I i_d0)) (sum1_T (whole_d1_1_I i_d0))))))

; RED d0 of embedding_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case22) (= (sum1_T (whole_ranks_2_II i_d1 i_d2)) (sum1_T (whole_d0_2_II i_d1 i_d2)))))
(assert (or (not case22) (= (at2_TI (local_ranks_2_II i_d1 i_d2) any_rank) (sum1_T (local_shares_3_III any_rank i_d1
  i_d2)))))
(assert (or (not case22) (= (at2_TI (whole_ranks_2_II i_d1 i_d2) any_rank) (sum1_T (whole_shares_3_III any_rank i_d1
  i_d2)))))
(assert (or (not case22) (or (not (= (at2_TI (local_ranks_2_II i_d1 i_d2) any_rank) (at2_TI (whole_ranks_2_II i_d1
  i_d2) any_rank))) (= (local_ranks_2_II i_d1 i_d2) (whole_ranks_2_II i_d1 i_d2)))))
(assert (or (not case22) (= (at2_TI (local_shares_3_III any_rank i_d1 i_d2) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (operation5_IIIVV any_index i_d1 i_d2 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II
  any_index i_d1) (beyond0_3_III any_rank any_index i_d1)) (ite (= (owner_d0_I any_index) any_rank) (x1_1_I
  any_index) (beyond1_2_II any_rank any_index))) nothing_sum))))
(assert (or (not case22) (= (at2_TI (whole_shares_3_III any_rank i_d1 i_d2) any_index) (ite (= (owner_d0_I
  any_index) any_rank) (operation5_IIIVV any_index i_d1 i_d2 (x0_2_II any_index i_d1) (x1_1_I any_index))
  nothing_sum))))
(assert (or (not case22) (or (not (= (at2_TI (local_shares_3_III any_rank i_d1 i_d2) any_index) (at2_TI
  (whole_shares_3_III any_rank i_d1 i_d2) any_index))) (= (local_shares_3_III any_rank i_d1 i_d2)
  (whole_shares_3_III any_rank i_d1 i_d2)))))
(assert (or (not case22) (not (= (sum1_T (local_ranks_2_II i_d1 i_d2)) (sum1_T (whole_d0_2_II i_d1 i_d2))))))

; RED d0 of layernorm_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case23) (= (sum1_T (whole_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1)))))
(assert (or (not case23) (= (at2_TI (local_ranks_1_I i_d1) any_rank) (sum1_T (local_shares_2_II any_rank i_d1)))))
(assert (or (not case23) (= (at2_TI (whole_ranks_1_I i_d1) any_rank) (sum1_T (whole_shares_2_II any_rank i_d1)))))
(assert (or (not case23) (or (not (= (at2_TI (local_ranks_1_I i_d1) any_rank) (at2_TI (whole_ranks_1_I i_d1)
  any_rank))) (= (local_ranks_1_I i_d1) (whole_ranks_1_I i_d1)))))
(assert (or (not case23) (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index)
  any_rank) (operation4_IITT any_index i_d1 (local_row0_3_III any_rank any_index i_d1) (local_row1_3_III any_rank
  any_index i_d1)) nothing_sum))))
(assert (or (not case23) (= (at2_TI (whole_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index)
  any_rank) (operation4_IITT any_index i_d1 (whole_row0_2_II any_index i_d1) (whole_row1_2_II any_index i_d1))
  nothing_sum))))
(assert (or (not case23) (or (not (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (at2_TI (whole_shares_2_II
  any_rank i_d1) any_index))) (= (local_shares_2_II any_rank i_d1) (whole_shares_2_II any_rank i_d1)))))
(assert (or (not case23) (= (at2_TI (local_row0_3_III any_rank any_index i_d1) any_0_0) (ite (= (owner_d0_I
  any_index) any_rank) (x0_2_II any_index any_0_0) (beyond0_3_III any_rank any_index any_0_0)))))
(assert (or (not case23) (= (at2_TI (whole_row0_2_II any_index i_d1) any_0_0) (x0_2_II any_index any_0_0))))
(assert (or (not case23) (or (not (= (at2_TI (local_row0_3_III any_rank any_index i_d1) any_0_0) (at2_TI
  (whole_row0_2_II any_index i_d1) any_0_0))) (= (local_row0_3_III any_rank any_index i_d1) (whole_row0_2_II
  any_index i_d1)))))
(assert (or (not case23) (= (at2_TI (local_row1_3_III any_rank any_index i_d1) any_1_0) (ite (= (owner_d0_I
  any_index) any_rank) (x1_2_II any_index any_1_0) (beyond1_3_III any_rank any_index any_1_0)))))
(assert (or (not case23) (= (at2_TI (whole_row1_2_II any_index i_d1) any_1_0) (x1_2_II any_index any_1_0))))
(assert (or (not case23) (or (not (= (at2_TI (local_row1_3_III any_rank any_index i_d1) any_1_0) (at2_TI
  (whole_row1_2_II any_index i_d1) any_1_0))) (= (local_row1_3_III any_rank any_index i_d1) (whole_row1_2_II
  any_index i_d1)))))
(assert (or (not case23) (not (= (sum1_T (local_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1))))))

; RED d2 of attention_key_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case24) (= (sum1_T (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T
  (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at2_TI (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T
  (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (or (not (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (at2_TI
  (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank))) (= (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite
  (= (owner_d2_I any_index) any_rank) (operation10_IIIIITTTTT i_d0 i_d1 any_index i_d3 i_d4 (local_row0_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4
  i_d5 i_d6) (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4
  i_d5 i_d6)) nothing_sum))))
(assert (or (not case24) (= (at2_TI (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite
  (= (owner_d2_I any_index) any_rank) (operation10_IIIIITTTTT i_d0 i_d1 any_index i_d3 i_d4 (whole_row0_7_IIIIIII
  i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4
  i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)) nothing_sum))))
(assert (or (not case24) (or (not (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)
  any_index) (at2_TI (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index))) (=
  (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at2_TI (local_row0_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_0_0) (ite (= (owner_d2_I any_index) any_rank) (x0_4_IIII i_d0 i_d1 any_index any_0_0) (beyond0_5_IIIII
  any_rank i_d0 i_d1 any_index any_0_0)))))
(assert (or (not case24) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_0_0)
  (x0_4_IIII i_d0 i_d1 any_index any_0_0))))
(assert (or (not case24) (or (not (= (at2_TI (local_row0_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_0_0))) (=
  (local_row0_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_1_0) (ite (= (owner_d2_I any_index) any_rank) (x1_4_IIII i_d0 i_d1 any_index any_1_0) (beyond1_5_IIIII
  any_rank i_d0 i_d1 any_index any_1_0)))))
(assert (or (not case24) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0)
  (x1_4_IIII i_d0 i_d1 any_index any_1_0))))
(assert (or (not case24) (or (not (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0))) (=
  (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case24) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case24) (or (not (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)))
  (= (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at3_TII (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_3_0 any_3_1) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case24) (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case24) (or (not (= (at3_TII (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_3_0 any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)))
  (= (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (= (at2_TI (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_4_0) (ite (= (owner_d2_I any_index) any_rank) (x4_4_IIII i_d0 i_d1 any_index any_4_0) (beyond4_5_IIIII
  any_rank i_d0 i_d1 any_index any_4_0)))))
(assert (or (not case24) (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_4_0)
  (x4_4_IIII i_d0 i_d1 any_index any_4_0))))
(assert (or (not case24) (or (not (= (at2_TI (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_4_0) (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_4_0))) (=
  (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case24) (not (= (sum1_T (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))))

; RED d2 of attention_value_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case25) (= (sum1_T (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T
  (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (= (at2_TI (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T
  (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (or (not (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (at2_TI
  (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank))) (= (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite
  (= (owner_d2_I any_index) any_rank) (operation10_IIIIIVTTTV i_d0 i_d1 any_index i_d3 i_d5 (ite (= (owner_d2_I
  any_index) any_rank) (x0_4_IIII i_d0 i_d1 any_index i_d5) (beyond0_5_IIIII any_rank i_d0 i_d1 any_index i_d5))
  (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII any_rank i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (ite (=
  (owner_d2_I any_index) any_rank) (x4_4_IIII i_d0 i_d1 any_index i_d5) (beyond4_5_IIIII any_rank i_d0 i_d1
  any_index i_d5))) nothing_sum))))
(assert (or (not case25) (= (at2_TI (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite
  (= (owner_d2_I any_index) any_rank) (operation10_IIIIIVTTTV i_d0 i_d1 any_index i_d3 i_d5 (x0_4_IIII i_d0 i_d1
  any_index i_d5) (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1
  any_index i_d5)) nothing_sum))))
(assert (or (not case25) (or (not (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)
  any_index) (at2_TI (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index))) (=
  (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6)))))
(assert (or (not case25) (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_1_0) (ite (= (owner_d2_I any_index) any_rank) (x1_4_IIII i_d0 i_d1 any_index any_1_0) (beyond1_5_IIIII
  any_rank i_d0 i_d1 any_index any_1_0)))))
(assert (or (not case25) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0)
  (x1_4_IIII i_d0 i_d1 any_index any_1_0))))
(assert (or (not case25) (or (not (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0))) (=
  (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case25) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case25) (or (not (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)))
  (= (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (= (at2_TI (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  any_3_0) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5))))
(assert (or (not case25) (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0)
  (x3_4_IIII i_d0 i_d1 any_3_0 i_d5))))
(assert (or (not case25) (or (not (= (at2_TI (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6) any_3_0) (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0))) (=
  (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case25) (not (= (sum1_T (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))))

; RED d0 of batch_norm_squares: the lemmas' instances, and that the claim does not hold.
(assert (or (not case26) (= (sum1_T (whole_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1)))))
(assert (or (not case26) (= (at2_TI (local_ranks_1_I i_d1) any_rank) (sum1_T (local_shares_2_II any_rank i_d1)))))
(assert (or (not case26) (= (at2_TI (whole_ranks_1_I i_d1) any_rank) (sum1_T (whole_shares_2_II any_rank i_d1)))))
(assert (or (not case26) (or (not (= (at2_TI (local_ranks_1_I i_d1) any_rank) (at2_TI (whole_ranks_1_I i_d1)
  any_rank))) (= (local_ranks_1_I i_d1) (whole_ranks_1_I i_d1)))))
(assert (or (not case26) (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index)
  any_rank) (operation4_IIVV any_index i_d1 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index i_d1)
  (beyond0_3_III any_rank any_index i_d1)) (x1_1_I i_d1)) nothing_sum))))
(assert (or (not case26) (= (at2_TI (whole_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index)
  any_rank) (operation4_IIVV any_index i_d1 (x0_2_II any_index i_d1) (x1_1_I i_d1)) nothing_sum))))
(assert (or (not case26) (or (not (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (at2_TI (whole_shares_2_II
  any_rank i_d1) any_index))) (= (local_shares_2_II any_rank i_d1) (whole_shares_2_II any_rank i_d1)))))
(assert (or (not case26) (not (= (sum1_T (local_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1))))))

; RED d0 of batch_norm_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case27) (= (sum1_T (whole_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1)))))
(assert (or (not case27) (= (at2_TI (local_ranks_1_I i_d1) any_rank) (sum1_T (local_shares_2_II any_rank i_d1)))))
(assert (or (not case27) (= (at2_TI (whole_ranks_1_I i_d1) any_rank) (sum1_T (whole_shares_2_II any_rank i_d1)))))
(assert (or (not case27) (or (not (= (at2_TI (local_ranks_1_I i_d1) any_rank) (at2_TI (whole_ranks_1_I i_d1)
  any_rank))) (= (local_ranks_1_I i_d1) (whole_ranks_1_I i_d1)))))
(assert (or (not case27) (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index)
  any_rank) (operation6_IIVVVV any_index i_d1 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index i_d1)
  (beyond0_3_III any_rank any_index i_d1)) (ite (= (owner_d0_I any_index) any_rank) (x1_2_II any_index i_d1)
  (beyond1_3_III any_rank any_index i_d1)) (x2_1_I i_d1) (x3_1_I i_d1)) nothing_sum))))
(assert (or (not case27) (= (at2_TI (whole_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index)
  any_rank) (operation6_IIVVVV any_index i_d1 (x0_2_II any_index i_d1) (x1_2_II any_index i_d1) (x2_1_I i_d1)
  (x3_1_I i_d1)) nothing_sum))))
(assert (or (not case27) (or (not (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (at2_TI (whole_shares_2_II
  any_rank i_d1) any_index))) (= (local_shares_2_II any_rank i_d1) (whole_shares_2_II any_rank i_d1)))))
(assert (or (not case27) (not (= (sum1_T (local_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1))))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 case11 case12 case13 case14 case15
  case16 case17 case18 case19 case20 case21 case22 case23 case24 case25 case26 case27))

(check-sat)
