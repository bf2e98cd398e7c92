; Where a reduced label is cut, the reduction of the ranks' results is the result. What the proofs assume, all of it
; at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
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

; RED d1 of einsum: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_2_II i_d0 i_d2)) (sum1_T (whole_d1_2_II i_d0 i_d2))))
(assert (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (local_shares_3_III any_rank i_d0 i_d2))))
(assert (= (at2_TI (whole_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (whole_shares_3_III any_rank i_d0 i_d2))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (at2_TI (whole_ranks_2_II i_d0 i_d2) any_rank)))
  (= (local_ranks_2_II i_d0 i_d2) (whole_ranks_2_II i_d0 i_d2))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (operation5_IIIVV i_d0 any_index i_d2 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II i_d0 any_index)
  (beyond0_3_III any_rank i_d0 any_index)) (ite (= (owner_d1_I any_index) any_rank) (x1_2_II any_index i_d2)
  (beyond1_3_III any_rank any_index i_d2))) nothing_sum)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (operation5_IIIVV i_d0 any_index i_d2 (x0_2_II i_d0 any_index) (x1_2_II any_index i_d2)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d0 i_d2) any_index))) (= (local_shares_3_III any_rank i_d0 i_d2) (whole_shares_3_III any_rank i_d0 i_d2))))

; RED d1 of linear: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_2_II i_d0 i_d2)) (sum1_T (whole_d1_2_II i_d0 i_d2))))
(assert (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (local_shares_3_III any_rank i_d0 i_d2))))
(assert (= (at2_TI (whole_ranks_2_II i_d0 i_d2) any_rank) (sum1_T (whole_shares_3_III any_rank i_d0 i_d2))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d0 i_d2) any_rank) (at2_TI (whole_ranks_2_II i_d0 i_d2) any_rank)))
  (= (local_ranks_2_II i_d0 i_d2) (whole_ranks_2_II i_d0 i_d2))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (operation5_IIIVV i_d0 any_index i_d2 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II i_d0 any_index)
  (beyond0_3_III any_rank i_d0 any_index)) (ite (= (owner_d1_I any_index) any_rank) (x1_2_II i_d2 any_index)
  (beyond1_3_III any_rank i_d2 any_index))) nothing_sum)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d0 i_d2) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (operation5_IIIVV i_d0 any_index i_d2 (x0_2_II i_d0 any_index) (x1_2_II i_d2 any_index)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d0 i_d2) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d0 i_d2) any_index))) (= (local_shares_3_III any_rank i_d0 i_d2) (whole_shares_3_III any_rank i_d0 i_d2))))

; RED d1 of conv2d: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d1_8_IIIIIIII
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (sum1_T
  (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (sum1_T
  (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (at2_TI
  (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank))) (= (local_ranks_8_IIIIIIII i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index) (ite (=
  (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII
  any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum)))
(assert (= (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index) (ite (=
  (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0
  any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index)
  (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index))) (=
  (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_shares_9_IIIIIIIII any_rank
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (ite (= (owner_d1_I any_index) any_rank) (x0_4_IIII i_d0 any_index any_0_0 any_0_1) (beyond0_5_IIIII
  any_rank i_d0 any_index any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII i_d0 any_index any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1))) (= (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (ite (= (owner_d1_I any_index) any_rank) (x1_4_IIII i_d4 any_index any_1_0 any_1_1) (beyond1_5_IIIII
  any_rank i_d4 any_index any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII i_d4 any_index any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1))) (= (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; RED d1 of conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d1_8_IIIIIIII
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (sum1_T
  (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (sum1_T
  (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (local_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (at2_TI
  (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank))) (= (local_ranks_8_IIIIIIII i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_ranks_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index) (ite (=
  (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII
  any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum)))
(assert (= (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index) (ite (=
  (owner_d1_I any_index) any_rank) (operation7_IIIIITT i_d0 any_index i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0
  any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index)
  (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index))) (=
  (local_shares_9_IIIIIIIII any_rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_shares_9_IIIIIIIII any_rank
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (ite (= (owner_d1_I any_index) any_rank) (x0_4_IIII i_d0 any_index any_0_0 any_0_1) (beyond0_5_IIIII
  any_rank i_d0 any_index any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII i_d0 any_index any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1))) (= (local_row0_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (ite (= (owner_d1_I any_index) any_rank) (x1_4_IIII any_index i_d4 any_1_0 any_1_1) (beyond1_5_IIIII
  any_rank any_index i_d4 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_index i_d4 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1))) (= (local_row1_10_IIIIIIIIII any_rank i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_index i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; RED d0 of conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d0_8_IIIIIIII
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (local_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (sum1_T
  (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (sum1_T
  (whole_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (local_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank) (at2_TI
  (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_rank))) (= (local_ranks_8_IIIIIIII i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_ranks_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index) (ite (=
  (owner_d0_I any_index) any_rank) (operation7_IIIIITT any_index i_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII
  any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) nothing_sum)))
(assert (= (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index) (ite (=
  (owner_d0_I any_index) any_rank) (operation7_IIIIITT any_index i_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII
  any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index)
  (at2_TI (whole_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_index))) (=
  (local_shares_9_IIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_shares_9_IIIIIIIII any_rank
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (ite (= (owner_d0_I any_index) any_rank) (x0_4_IIII any_index i_d1 any_0_0 any_0_1) (beyond0_5_IIIII
  any_rank any_index i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII any_index i_d1 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1))) (= (local_row0_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (ite (= (owner_d0_I any_index) any_rank) (x1_4_IIII any_index i_d4 any_1_0 any_1_1) (beyond1_5_IIIII
  any_rank any_index i_d4 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_index i_d4 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1))) (= (local_row1_10_IIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; RED d2 of grouped_conv2d: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (sum1_T
  (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (sum1_T
  (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (at2_TI
  (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank))) (= (local_ranks_9_IIIIIIIII
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9))))
(assert (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)
  (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum)))
(assert (= (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)
  (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0
  i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_index) (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)))
  (= (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_shares_10_IIIIIIIIII
  any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (ite (= (owner_d2_I any_index) any_rank) (x0_5_IIIII i_d0 i_d1 any_index any_0_0 any_0_1)
  (beyond0_6_IIIIII any_rank i_d0 i_d1 any_index any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1) (x0_5_IIIII i_d0 i_d1 any_index any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (ite (= (owner_d2_I any_index) any_rank) (x1_5_IIIII i_d1 i_d5 any_index any_1_0 any_1_1)
  (beyond1_6_IIIIII any_rank i_d1 i_d5 any_index any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (x1_5_IIIII i_d1 i_d5 any_index any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; RED d2 of grouped_conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (sum1_T
  (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (sum1_T
  (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (local_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (at2_TI
  (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank))) (= (local_ranks_9_IIIIIIIII
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_ranks_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9))))
(assert (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)
  (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum)))
(assert (= (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)
  (ite (= (owner_d2_I any_index) any_rank) (operation8_IIIIIITT i_d0 i_d1 any_index i_d5 i_d8 i_d9
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0
  i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_index) (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)))
  (= (local_shares_10_IIIIIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_shares_10_IIIIIIIIII
  any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (ite (= (owner_d2_I any_index) any_rank) (x0_5_IIIII i_d0 i_d1 any_index any_0_0 any_0_1)
  (beyond0_6_IIIIII any_rank i_d0 i_d1 any_index any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1) (x0_5_IIIII i_d0 i_d1 any_index any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (ite (= (owner_d2_I any_index) any_rank) (x1_5_IIIII i_d1 any_index i_d5 any_1_0 any_1_1)
  (beyond1_6_IIIIII any_rank i_d1 any_index i_d5 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (x1_5_IIIII i_d1 any_index i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; RED d0 of grouped_conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (local_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (sum1_T
  (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (sum1_T
  (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (local_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank) (at2_TI
  (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_rank))) (= (local_ranks_9_IIIIIIIII
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_ranks_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9))))
(assert (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)
  (ite (= (owner_d0_I any_index) any_rank) (operation8_IIIIIITT any_index i_d1 i_d2 i_d5 i_d8 i_d9
  (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum)))
(assert (= (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)
  (ite (= (owner_d0_I any_index) any_rank) (operation8_IIIIIITT any_index i_d1 i_d2 i_d5 i_d8 i_d9
  (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII
  any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_index) (at2_TI (whole_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_index)))
  (= (local_shares_10_IIIIIIIIII any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_shares_10_IIIIIIIIII
  any_rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (ite (= (owner_d0_I any_index) any_rank) (x0_5_IIIII any_index i_d1 i_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII any_rank any_index i_d1 i_d2 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1) (x0_5_IIIII any_index i_d1 i_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (ite (= (owner_d0_I any_index) any_rank) (x1_5_IIIII any_index i_d1 i_d5 any_1_0 any_1_1)
  (beyond1_6_IIIIII any_rank any_index i_d1 i_d5 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (x1_5_IIIII any_index i_d1 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII any_rank any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_index i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; RED d0 of sum: the lemmas' instances.
(assert (= (sum1_T whole_ranks_) (sum1_T whole_d0_)))
(assert (= (at2_TI local_ranks_ any_rank) (sum1_T (local_shares_1_I any_rank))))
(assert (= (at2_TI whole_ranks_ any_rank) (sum1_T (whole_shares_1_I any_rank))))
(assert (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_ whole_ranks_)))
(assert (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank) (sum1_T
  (local_d1_2_II any_rank any_index)) nothing_sum)))
(assert (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank) (sum1_T
  (whole_d1_1_I any_index)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I any_rank) any_index)))
  (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank))))
(assert (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (operation3_IIV any_index any_d1 (ite (= (owner_d0_I
  any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index any_d1)))))
(assert (= (at2_TI (whole_d1_1_I any_index) any_d1) (operation3_IIV any_index any_d1 (x0_2_II any_index any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (at2_TI (whole_d1_1_I any_index) any_d1))) (=
  (local_d1_2_II any_rank any_index) (whole_d1_1_I any_index))))

; RED d1 of sum: the lemmas' instances.
(assert (= (sum1_T whole_ranks_) (sum1_T whole_d1_)))
(assert (= (at2_TI local_ranks_ any_rank) (sum1_T (local_shares_1_I any_rank))))
(assert (= (at2_TI whole_ranks_ any_rank) (sum1_T (whole_shares_1_I any_rank))))
(assert (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_ whole_ranks_)))
(assert (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank) (sum1_T
  (local_d0_2_II any_rank any_index)) nothing_sum)))
(assert (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank) (sum1_T
  (whole_d0_1_I any_index)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I any_rank) any_index)))
  (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank))))
(assert (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (operation3_IIV any_d0 any_index (ite (= (owner_d1_I
  any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0 any_index)))))
(assert (= (at2_TI (whole_d0_1_I any_index) any_d0) (operation3_IIV any_d0 any_index (x0_2_II any_d0 any_index))))
(assert (or (not (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (at2_TI (whole_d0_1_I any_index) any_d0))) (=
  (local_d0_2_II any_rank any_index) (whole_d0_1_I any_index))))

; RED d0 of max: the lemmas' instances.
(assert (= (largest1_T whole_ranks_) (largest1_T whole_d0_)))
(assert (= (at2_TI local_ranks_ any_rank) (largest1_T (local_shares_1_I any_rank))))
(assert (= (at2_TI whole_ranks_ any_rank) (largest1_T (whole_shares_1_I any_rank))))
(assert (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_ whole_ranks_)))
(assert (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank) (largest1_T
  (local_d1_2_II any_rank any_index)) nothing_largest)))
(assert (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank) (largest1_T
  (whole_d1_1_I any_index)) nothing_largest)))
(assert (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I any_rank) any_index)))
  (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank))))
(assert (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (operation3_IIV any_index any_d1 (ite (= (owner_d0_I
  any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index any_d1)))))
(assert (= (at2_TI (whole_d1_1_I any_index) any_d1) (operation3_IIV any_index any_d1 (x0_2_II any_index any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (at2_TI (whole_d1_1_I any_index) any_d1))) (=
  (local_d1_2_II any_rank any_index) (whole_d1_1_I any_index))))

; RED d1 of max: the lemmas' instances.
(assert (= (largest1_T whole_ranks_) (largest1_T whole_d1_)))
(assert (= (at2_TI local_ranks_ any_rank) (largest1_T (local_shares_1_I any_rank))))
(assert (= (at2_TI whole_ranks_ any_rank) (largest1_T (whole_shares_1_I any_rank))))
(assert (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_ whole_ranks_)))
(assert (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank) (largest1_T
  (local_d0_2_II any_rank any_index)) nothing_largest)))
(assert (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank) (largest1_T
  (whole_d0_1_I any_index)) nothing_largest)))
(assert (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I any_rank) any_index)))
  (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank))))
(assert (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (operation3_IIV any_d0 any_index (ite (= (owner_d1_I
  any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0 any_index)))))
(assert (= (at2_TI (whole_d0_1_I any_index) any_d0) (operation3_IIV any_d0 any_index (x0_2_II any_d0 any_index))))
(assert (or (not (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (at2_TI (whole_d0_1_I any_index) any_d0))) (=
  (local_d0_2_II any_rank any_index) (whole_d0_1_I any_index))))

; RED d0 of min: the lemmas' instances.
(assert (= (smallest1_T whole_ranks_) (smallest1_T whole_d0_)))
(assert (= (at2_TI local_ranks_ any_rank) (smallest1_T (local_shares_1_I any_rank))))
(assert (= (at2_TI whole_ranks_ any_rank) (smallest1_T (whole_shares_1_I any_rank))))
(assert (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_ whole_ranks_)))
(assert (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank) (smallest1_T
  (local_d1_2_II any_rank any_index)) nothing_smallest)))
(assert (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d0_I any_index) any_rank) (smallest1_T
  (whole_d1_1_I any_index)) nothing_smallest)))
(assert (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I any_rank) any_index)))
  (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank))))
(assert (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (operation3_IIV any_index any_d1 (ite (= (owner_d0_I
  any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index any_d1)))))
(assert (= (at2_TI (whole_d1_1_I any_index) any_d1) (operation3_IIV any_index any_d1 (x0_2_II any_index any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II any_rank any_index) any_d1) (at2_TI (whole_d1_1_I any_index) any_d1))) (=
  (local_d1_2_II any_rank any_index) (whole_d1_1_I any_index))))

; RED d1 of min: the lemmas' instances.
(assert (= (smallest1_T whole_ranks_) (smallest1_T whole_d1_)))
(assert (= (at2_TI local_ranks_ any_rank) (smallest1_T (local_shares_1_I any_rank))))
(assert (= (at2_TI whole_ranks_ any_rank) (smallest1_T (whole_shares_1_I any_rank))))
(assert (or (not (= (at2_TI local_ranks_ any_rank) (at2_TI whole_ranks_ any_rank))) (= local_ranks_ whole_ranks_)))
(assert (= (at2_TI (local_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank) (smallest1_T
  (local_d0_2_II any_rank any_index)) nothing_smallest)))
(assert (= (at2_TI (whole_shares_1_I any_rank) any_index) (ite (= (owner_d1_I any_index) any_rank) (smallest1_T
  (whole_d0_1_I any_index)) nothing_smallest)))
(assert (or (not (= (at2_TI (local_shares_1_I any_rank) any_index) (at2_TI (whole_shares_1_I any_rank) any_index)))
  (= (local_shares_1_I any_rank) (whole_shares_1_I any_rank))))
(assert (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (operation3_IIV any_d0 any_index (ite (= (owner_d1_I
  any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0 any_index)))))
(assert (= (at2_TI (whole_d0_1_I any_index) any_d0) (operation3_IIV any_d0 any_index (x0_2_II any_d0 any_index))))
(assert (or (not (= (at2_TI (local_d0_2_II any_rank any_index) any_d0) (at2_TI (whole_d0_1_I any_index) any_d0))) (=
  (local_d0_2_II any_rank any_index) (whole_d0_1_I any_index))))

; RED d0 of sum_kept: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_2_II i_d2 i_d3)) (sum1_T (whole_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (local_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank)))
  (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (sum1_T (local_d1_4_IIII any_rank any_index i_d2 i_d3)) nothing_sum)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (sum1_T (whole_d1_3_III any_index i_d2 i_d3)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3) (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1 i_d2
  i_d3 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index
  any_d1)))))
(assert (= (at2_TI (whole_d1_3_III any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1 i_d2 i_d3
  (x0_2_II any_index any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (at2_TI (whole_d1_3_III any_index
  i_d2 i_d3) any_d1))) (= (local_d1_4_IIII any_rank any_index i_d2 i_d3) (whole_d1_3_III any_index i_d2 i_d3))))

; RED d1 of sum_kept: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_2_II i_d2 i_d3)) (sum1_T (whole_d1_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (local_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (sum1_T (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank)))
  (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (sum1_T (local_d0_4_IIII any_rank any_index i_d2 i_d3)) nothing_sum)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (sum1_T (whole_d0_3_III any_index i_d2 i_d3)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3) (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index i_d2
  i_d3 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0
  any_index)))))
(assert (= (at2_TI (whole_d0_3_III any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index i_d2 i_d3
  (x0_2_II any_d0 any_index))))
(assert (or (not (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (at2_TI (whole_d0_3_III any_index
  i_d2 i_d3) any_d0))) (= (local_d0_4_IIII any_rank any_index i_d2 i_d3) (whole_d0_3_III any_index i_d2 i_d3))))

; RED d0 of max_kept: the lemmas' instances.
(assert (= (largest1_T (whole_ranks_2_II i_d2 i_d3)) (largest1_T (whole_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (local_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank)))
  (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (largest1_T (local_d1_4_IIII any_rank any_index i_d2 i_d3)) nothing_largest)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (largest1_T (whole_d1_3_III any_index i_d2 i_d3)) nothing_largest)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3) (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1 i_d2
  i_d3 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index
  any_d1)))))
(assert (= (at2_TI (whole_d1_3_III any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1 i_d2 i_d3
  (x0_2_II any_index any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (at2_TI (whole_d1_3_III any_index
  i_d2 i_d3) any_d1))) (= (local_d1_4_IIII any_rank any_index i_d2 i_d3) (whole_d1_3_III any_index i_d2 i_d3))))

; RED d1 of max_kept: the lemmas' instances.
(assert (= (largest1_T (whole_ranks_2_II i_d2 i_d3)) (largest1_T (whole_d1_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (local_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (largest1_T (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank)))
  (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (largest1_T (local_d0_4_IIII any_rank any_index i_d2 i_d3)) nothing_largest)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (largest1_T (whole_d0_3_III any_index i_d2 i_d3)) nothing_largest)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3) (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index i_d2
  i_d3 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0
  any_index)))))
(assert (= (at2_TI (whole_d0_3_III any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index i_d2 i_d3
  (x0_2_II any_d0 any_index))))
(assert (or (not (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (at2_TI (whole_d0_3_III any_index
  i_d2 i_d3) any_d0))) (= (local_d0_4_IIII any_rank any_index i_d2 i_d3) (whole_d0_3_III any_index i_d2 i_d3))))

; RED d0 of min_kept: the lemmas' instances.
(assert (= (smallest1_T (whole_ranks_2_II i_d2 i_d3)) (smallest1_T (whole_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (local_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank)))
  (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (smallest1_T (local_d1_4_IIII any_rank any_index i_d2 i_d3)) nothing_smallest)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (smallest1_T (whole_d1_3_III any_index i_d2 i_d3)) nothing_smallest)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3) (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1 i_d2
  i_d3 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index any_d1) (beyond0_3_III any_rank any_index
  any_d1)))))
(assert (= (at2_TI (whole_d1_3_III any_index i_d2 i_d3) any_d1) (operation5_IIIIV any_index any_d1 i_d2 i_d3
  (x0_2_II any_index any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII any_rank any_index i_d2 i_d3) any_d1) (at2_TI (whole_d1_3_III any_index
  i_d2 i_d3) any_d1))) (= (local_d1_4_IIII any_rank any_index i_d2 i_d3) (whole_d1_3_III any_index i_d2 i_d3))))

; RED d1 of min_kept: the lemmas' instances.
(assert (= (smallest1_T (whole_ranks_2_II i_d2 i_d3)) (smallest1_T (whole_d1_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (local_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank) (smallest1_T (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d2 i_d3) any_rank) (at2_TI (whole_ranks_2_II i_d2 i_d3) any_rank)))
  (= (local_ranks_2_II i_d2 i_d3) (whole_ranks_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (smallest1_T (local_d0_4_IIII any_rank any_index i_d2 i_d3)) nothing_smallest)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d2 i_d3) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (smallest1_T (whole_d0_3_III any_index i_d2 i_d3)) nothing_smallest)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d2 i_d3) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d2 i_d3) any_index))) (= (local_shares_3_III any_rank i_d2 i_d3) (whole_shares_3_III any_rank i_d2 i_d3))))
(assert (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index i_d2
  i_d3 (ite (= (owner_d1_I any_index) any_rank) (x0_2_II any_d0 any_index) (beyond0_3_III any_rank any_d0
  any_index)))))
(assert (= (at2_TI (whole_d0_3_III any_index i_d2 i_d3) any_d0) (operation5_IIIIV any_d0 any_index i_d2 i_d3
  (x0_2_II any_d0 any_index))))
(assert (or (not (= (at2_TI (local_d0_4_IIII any_rank any_index i_d2 i_d3) any_d0) (at2_TI (whole_d0_3_III any_index
  i_d2 i_d3) any_d0))) (= (local_d0_4_IIII any_rank any_index i_d2 i_d3) (whole_d0_3_III any_index i_d2 i_d3))))

; RED d2 of embedding: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_3_III i_d0 i_d1 i_d3)) (sum1_T (whole_d2_3_III i_d0 i_d1 i_d3))))
(assert (= (at2_TI (local_ranks_3_III i_d0 i_d1 i_d3) any_rank) (sum1_T (local_shares_4_IIII any_rank i_d0 i_d1
  i_d3))))
(assert (= (at2_TI (whole_ranks_3_III i_d0 i_d1 i_d3) any_rank) (sum1_T (whole_shares_4_IIII any_rank i_d0 i_d1
  i_d3))))
(assert (or (not (= (at2_TI (local_ranks_3_III i_d0 i_d1 i_d3) any_rank) (at2_TI (whole_ranks_3_III i_d0 i_d1 i_d3)
  any_rank))) (= (local_ranks_3_III i_d0 i_d1 i_d3) (whole_ranks_3_III i_d0 i_d1 i_d3))))
(assert (= (at2_TI (local_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index) (ite (= (owner_d2_I any_index) any_rank)
  (operation6_IIIIVV i_d0 i_d1 any_index i_d3 (ite (= (owner_d2_I any_index) any_rank) (x0_2_II any_index i_d3)
  (beyond0_3_III any_rank any_index i_d3)) (x1_2_II i_d0 i_d1)) nothing_sum)))
(assert (= (at2_TI (whole_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index) (ite (= (owner_d2_I any_index) any_rank)
  (operation6_IIIIVV i_d0 i_d1 any_index i_d3 (x0_2_II any_index i_d3) (x1_2_II i_d0 i_d1)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_4_IIII any_rank i_d0 i_d1 i_d3) any_index) (at2_TI (whole_shares_4_IIII
  any_rank i_d0 i_d1 i_d3) any_index))) (= (local_shares_4_IIII any_rank i_d0 i_d1 i_d3) (whole_shares_4_IIII
  any_rank i_d0 i_d1 i_d3))))

; RED d1 of pick: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_1_I i_d0)) (sum1_T (whole_d1_1_I i_d0))))
(assert (= (at2_TI (local_ranks_1_I i_d0) any_rank) (sum1_T (local_shares_2_II any_rank i_d0))))
(assert (= (at2_TI (whole_ranks_1_I i_d0) any_rank) (sum1_T (whole_shares_2_II any_rank i_d0))))
(assert (or (not (= (at2_TI (local_ranks_1_I i_d0) any_rank) (at2_TI (whole_ranks_1_I i_d0) any_rank))) (=
  (local_ranks_1_I i_d0) (whole_ranks_1_I i_d0))))
(assert (= (at2_TI (local_shares_2_II any_rank i_d0) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (operation4_IIVV i_d0 any_index (ite (= (owner_d1_I any_index) any_rank) (x0_2_II i_d0 any_index) (beyond0_3_III
  any_rank i_d0 any_index)) (x1_1_I i_d0)) nothing_sum)))
(assert (= (at2_TI (whole_shares_2_II any_rank i_d0) any_index) (ite (= (owner_d1_I any_index) any_rank)
  (operation4_IIVV i_d0 any_index (x0_2_II i_d0 any_index) (x1_1_I i_d0)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_2_II any_rank i_d0) any_index) (at2_TI (whole_shares_2_II any_rank i_d0)
  any_index))) (= (local_shares_2_II any_rank i_d0) (whole_shares_2_II any_rank i_d0))))

; RED d0 of embedding_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_2_II i_d1 i_d2)) (sum1_T (whole_d0_2_II i_d1 i_d2))))
(assert (= (at2_TI (local_ranks_2_II i_d1 i_d2) any_rank) (sum1_T (local_shares_3_III any_rank i_d1 i_d2))))
(assert (= (at2_TI (whole_ranks_2_II i_d1 i_d2) any_rank) (sum1_T (whole_shares_3_III any_rank i_d1 i_d2))))
(assert (or (not (= (at2_TI (local_ranks_2_II i_d1 i_d2) any_rank) (at2_TI (whole_ranks_2_II i_d1 i_d2) any_rank)))
  (= (local_ranks_2_II i_d1 i_d2) (whole_ranks_2_II i_d1 i_d2))))
(assert (= (at2_TI (local_shares_3_III any_rank i_d1 i_d2) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation5_IIIVV any_index i_d1 i_d2 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index i_d1)
  (beyond0_3_III any_rank any_index i_d1)) (ite (= (owner_d0_I any_index) any_rank) (x1_1_I any_index) (beyond1_2_II
  any_rank any_index))) nothing_sum)))
(assert (= (at2_TI (whole_shares_3_III any_rank i_d1 i_d2) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation5_IIIVV any_index i_d1 i_d2 (x0_2_II any_index i_d1) (x1_1_I any_index)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_3_III any_rank i_d1 i_d2) any_index) (at2_TI (whole_shares_3_III any_rank
  i_d1 i_d2) any_index))) (= (local_shares_3_III any_rank i_d1 i_d2) (whole_shares_3_III any_rank i_d1 i_d2))))

; RED d0 of layernorm_weight_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1))))
(assert (= (at2_TI (local_ranks_1_I i_d1) any_rank) (sum1_T (local_shares_2_II any_rank i_d1))))
(assert (= (at2_TI (whole_ranks_1_I i_d1) any_rank) (sum1_T (whole_shares_2_II any_rank i_d1))))
(assert (or (not (= (at2_TI (local_ranks_1_I i_d1) any_rank) (at2_TI (whole_ranks_1_I i_d1) any_rank))) (=
  (local_ranks_1_I i_d1) (whole_ranks_1_I i_d1))))
(assert (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation4_IITT any_index i_d1 (local_row0_3_III any_rank any_index i_d1) (local_row1_3_III any_rank any_index
  i_d1)) nothing_sum)))
(assert (= (at2_TI (whole_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation4_IITT any_index i_d1 (whole_row0_2_II any_index i_d1) (whole_row1_2_II any_index i_d1)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (at2_TI (whole_shares_2_II any_rank i_d1)
  any_index))) (= (local_shares_2_II any_rank i_d1) (whole_shares_2_II any_rank i_d1))))
(assert (= (at2_TI (local_row0_3_III any_rank any_index i_d1) any_0_0) (ite (= (owner_d0_I any_index) any_rank)
  (x0_2_II any_index any_0_0) (beyond0_3_III any_rank any_index any_0_0))))
(assert (= (at2_TI (whole_row0_2_II any_index i_d1) any_0_0) (x0_2_II any_index any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III any_rank any_index i_d1) any_0_0) (at2_TI (whole_row0_2_II any_index
  i_d1) any_0_0))) (= (local_row0_3_III any_rank any_index i_d1) (whole_row0_2_II any_index i_d1))))
(assert (= (at2_TI (local_row1_3_III any_rank any_index i_d1) any_1_0) (ite (= (owner_d0_I any_index) any_rank)
  (x1_2_II any_index any_1_0) (beyond1_3_III any_rank any_index any_1_0))))
(assert (= (at2_TI (whole_row1_2_II any_index i_d1) any_1_0) (x1_2_II any_index any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III any_rank any_index i_d1) any_1_0) (at2_TI (whole_row1_2_II any_index
  i_d1) any_1_0))) (= (local_row1_3_III any_rank any_index i_d1) (whole_row1_2_II any_index i_d1))))

; RED d2 of attention_key_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T (local_shares_7_IIIIIII
  any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T (whole_shares_7_IIIIIII
  any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (or (not (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (at2_TI
  (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank))) (= (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite (= (owner_d2_I
  any_index) any_rank) (operation10_IIIIITTTTT i_d0 i_d1 any_index i_d3 i_d4 (local_row0_8_IIIIIIII any_rank i_d0
  i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII any_rank i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6) (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6))
  nothing_sum)))
(assert (= (at2_TI (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite (= (owner_d2_I
  any_index) any_rank) (operation10_IIIIITTTTT i_d0 i_d1 any_index i_d3 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)
  (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4
  i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (at2_TI
  (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index))) (= (local_shares_7_IIIIIII any_rank
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row0_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d2_I any_index) any_rank) (x0_4_IIII i_d0 i_d1 any_index any_0_0) (beyond0_5_IIIII any_rank i_d0 i_d1
  any_index any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1
  any_index any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_0_0)
  (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (=
  (owner_d2_I any_index) any_rank) (x1_4_IIII i_d0 i_d1 any_index any_1_0) (beyond1_5_IIIII any_rank i_d0 i_d1
  any_index any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1
  any_index any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0)
  (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1)))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1)))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0
  i_d1 any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0
  any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (=
  (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (=
  (owner_d2_I any_index) any_rank) (x4_4_IIII i_d0 i_d1 any_index any_4_0) (beyond4_5_IIIII any_rank i_d0 i_d1
  any_index any_4_0))))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1
  any_index any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_4_0)
  (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6))))

; RED d2 of attention_value_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T (local_shares_7_IIIIIII
  any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (sum1_T (whole_shares_7_IIIIIII
  any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (or (not (= (at2_TI (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank) (at2_TI
  (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_rank))) (= (local_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_ranks_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite (= (owner_d2_I
  any_index) any_rank) (operation10_IIIIIVTTTV i_d0 i_d1 any_index i_d3 i_d5 (ite (= (owner_d2_I any_index)
  any_rank) (x0_4_IIII i_d0 i_d1 any_index i_d5) (beyond0_5_IIIII any_rank i_d0 i_d1 any_index i_d5))
  (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII any_rank i_d0 i_d1
  any_index i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (ite (=
  (owner_d2_I any_index) any_rank) (x4_4_IIII i_d0 i_d1 any_index i_d5) (beyond4_5_IIIII any_rank i_d0 i_d1
  any_index i_d5))) nothing_sum)))
(assert (= (at2_TI (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (ite (= (owner_d2_I
  any_index) any_rank) (operation10_IIIIIVTTTV i_d0 i_d1 any_index i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_index i_d5)
  (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4
  i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_index i_d5))
  nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index) (at2_TI
  (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_index))) (= (local_shares_7_IIIIIII any_rank
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) (whole_shares_7_IIIIIII any_rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (=
  (owner_d2_I any_index) any_rank) (x1_4_IIII i_d0 i_d1 any_index any_1_0) (beyond1_5_IIIII any_rank i_d0 i_d1
  any_index any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1
  any_index any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0)
  (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1)))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_index
  i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0
  i_d1 any_3_0 i_d5)))
(assert (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0 i_d1
  any_3_0 i_d5)))
(assert (or (not (= (at2_TI (local_row3_8_IIIIIIII any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0)
  (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII
  any_rank i_d0 i_d1 any_index i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_index i_d3 i_d4 i_d5
  i_d6))))

; RED d0 of batch_norm_squares: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1))))
(assert (= (at2_TI (local_ranks_1_I i_d1) any_rank) (sum1_T (local_shares_2_II any_rank i_d1))))
(assert (= (at2_TI (whole_ranks_1_I i_d1) any_rank) (sum1_T (whole_shares_2_II any_rank i_d1))))
(assert (or (not (= (at2_TI (local_ranks_1_I i_d1) any_rank) (at2_TI (whole_ranks_1_I i_d1) any_rank))) (=
  (local_ranks_1_I i_d1) (whole_ranks_1_I i_d1))))
(assert (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation4_IIVV any_index i_d1 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index i_d1) (beyond0_3_III
  any_rank any_index i_d1)) (x1_1_I i_d1)) nothing_sum)))
(assert (= (at2_TI (whole_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation4_IIVV any_index i_d1 (x0_2_II any_index i_d1) (x1_1_I i_d1)) nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (at2_TI (whole_shares_2_II any_rank i_d1)
  any_index))) (= (local_shares_2_II any_rank i_d1) (whole_shares_2_II any_rank i_d1))))

; RED d0 of batch_norm_weight_backward: the lemmas' instances.
(assert (= (sum1_T (whole_ranks_1_I i_d1)) (sum1_T (whole_d0_1_I i_d1))))
(assert (= (at2_TI (local_ranks_1_I i_d1) any_rank) (sum1_T (local_shares_2_II any_rank i_d1))))
(assert (= (at2_TI (whole_ranks_1_I i_d1) any_rank) (sum1_T (whole_shares_2_II any_rank i_d1))))
(assert (or (not (= (at2_TI (local_ranks_1_I i_d1) any_rank) (at2_TI (whole_ranks_1_I i_d1) any_rank))) (=
  (local_ranks_1_I i_d1) (whole_ranks_1_I i_d1))))
(assert (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation6_IIVVVV any_index i_d1 (ite (= (owner_d0_I any_index) any_rank) (x0_2_II any_index i_d1) (beyond0_3_III
  any_rank any_index i_d1)) (ite (= (owner_d0_I any_index) any_rank) (x1_2_II any_index i_d1) (beyond1_3_III
  any_rank any_index i_d1)) (x2_1_I i_d1) (x3_1_I i_d1)) nothing_sum)))
(assert (= (at2_TI (whole_shares_2_II any_rank i_d1) any_index) (ite (= (owner_d0_I any_index) any_rank)
  (operation6_IIVVVV any_index i_d1 (x0_2_II any_index i_d1) (x1_2_II any_index i_d1) (x2_1_I i_d1) (x3_1_I i_d1))
  nothing_sum)))
(assert (or (not (= (at2_TI (local_shares_2_II any_rank i_d1) any_index) (at2_TI (whole_shares_2_II any_rank i_d1)
  any_index))) (= (local_shares_2_II any_rank i_d1) (whole_shares_2_II any_rank i_d1))))

(check-sat)
