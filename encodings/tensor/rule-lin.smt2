; Sums over ranks pass through an operation that is linear in the operand that is a summand. Tensors of any size,
; cut in any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun any_d2 () Int)
(declare-fun at2_TI (TensorTable Int) Value)
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
(declare-fun case28 () Bool)
(declare-fun case29 () Bool)
(declare-fun case3 () Bool)
(declare-fun case30 () Bool)
(declare-fun case31 () Bool)
(declare-fun case32 () Bool)
(declare-fun case33 () Bool)
(declare-fun case34 () Bool)
(declare-fun case35 () Bool)
(declare-fun case36 () Bool)
(declare-fun case37 () Bool)
(declare-fun case38 () Bool)
(declare-fun case39 () Bool)
(declare-fun case4 () Bool)
(declare-fun case40 () Bool)
(declare-fun case41 () Bool)
(declare-fun case42 () Bool)
(declare-fun case43 () Bool)
(declare-fun case44 () Bool)
(declare-fun case45 () Bool)
(declare-fun case46 () Bool)
(declare-fun case5 () Bool)
(declare-fun case6 () Bool)
(declare-fun case7 () Bool)
(declare-fun case8 () Bool)
(declare-fun case9 () Bool)
(declare-fun exchanged_d0_ () TensorTable)
(declare-fun exchanged_d0_1_I (Int) TensorTable)
(declare-fun exchanged_d0_2_II (Int Int) TensorTable)
(declare-fun exchanged_d0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_d1_1_I (Int) TensorTable)
(declare-fun exchanged_d1_2_II (Int Int) TensorTable)
(declare-fun exchanged_d1_3_III (Int Int Int) TensorTable)
(declare-fun exchanged_d1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_d2_3_III (Int Int Int) TensorTable)
(declare-fun exchanged_d2_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_d2_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
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
(declare-fun operation10_IIIIITTTTT (Int Int Int Int Int TensorTable TensorTable TensorTable TensorTable TensorTable) Value)
(declare-fun operation10_IIIIIVTTTV (Int Int Int Int Int Value TensorTable TensorTable TensorTable Value) Value)
(declare-fun operation3_IIT (Int Int TensorTable) Value)
(declare-fun operation3_IIV (Int Int Value) Value)
(declare-fun operation4_IITT (Int Int TensorTable TensorTable) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIIT (Int Int Int Int TensorTable) Value)
(declare-fun operation5_IIIIV (Int Int Int Int Value) Value)
(declare-fun operation5_IIIVV (Int Int Int Value Value) Value)
(declare-fun operation5_IITTT (Int Int TensorTable TensorTable TensorTable) Value)
(declare-fun operation5_IIVVV (Int Int Value Value Value) Value)
(declare-fun operation6_IIIITT (Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation6_IIIIVV (Int Int Int Int Value Value) Value)
(declare-fun operation6_IIVVVV (Int Int Value Value Value Value) Value)
(declare-fun operation7_IIIIITT (Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation7_IIIITTT (Int Int Int Int TensorTable TensorTable TensorTable) Value)
(declare-fun operation8_IIIIIITT (Int Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation9_IIIITTTTT (Int Int Int Int TensorTable TensorTable TensorTable TensorTable TensorTable) Value)
(declare-fun operation9_IIVVVVVVV (Int Int Value Value Value Value Value Value Value) Value)
(declare-fun ranks0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks0_2_II (Int Int) TensorTable)
(declare-fun ranks0_3_III (Int Int Int) TensorTable)
(declare-fun ranks0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun ranks0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun ranks0_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks1_1_I (Int) TensorTable)
(declare-fun ranks1_2_II (Int Int) TensorTable)
(declare-fun ranks1_3_III (Int Int Int) TensorTable)
(declare-fun ranks1_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun ranks1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks2_ () TensorTable)
(declare-fun ranks2_2_II (Int Int) TensorTable)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun summed0_1_I (Int) TensorTable)
(declare-fun summed0_2_II (Int Int) TensorTable)
(declare-fun summed0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun summed1_2_II (Int Int) TensorTable)
(declare-fun summed2_1_I (Int) TensorTable)
(declare-fun summed3_1_I (Int) TensorTable)
(declare-fun summed4_1_I (Int) TensorTable)
(declare-fun together_d0_ () TensorTable)
(declare-fun together_d0_1_I (Int) TensorTable)
(declare-fun together_d0_2_II (Int Int) TensorTable)
(declare-fun together_d0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_d1_1_I (Int) TensorTable)
(declare-fun together_d1_2_II (Int Int) TensorTable)
(declare-fun together_d1_3_III (Int Int Int) TensorTable)
(declare-fun together_d1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_d2_3_III (Int Int Int) TensorTable)
(declare-fun together_d2_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_d2_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row0_2_II (Int Int) TensorTable)
(declare-fun together_row0_3_III (Int Int Int) TensorTable)
(declare-fun together_row0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_row0_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_2_II (Int Int) TensorTable)
(declare-fun together_row1_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row2_2_II (Int Int) TensorTable)
(declare-fun together_row2_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row3_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row4_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x1_1_I (Int) Value)
(declare-fun x1_2_II (Int Int) Value)
(declare-fun x2_1_I (Int) Value)
(declare-fun x3_1_I (Int) Value)
(declare-fun x4_4_IIII (Int Int Int Int) Value)
(declare-fun x5_1_I (Int) Value)
(declare-fun x6_1_I (Int) Value)

; LIN + in 0 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2)))))
(assert (or (not case0) (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)))))
(assert (or (not case0) (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T
  (summed0_2_II i_d0 any_d1)) (x1_2_II any_d1 i_d2)))))
(assert (or (not case0) (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0
  i_d2) any_d1))) (= (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2)))))
(assert (or (not case0) (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T
  (summed0_2_II i_d0 any_d1)) (x1_2_II any_d1 i_d2)))))
(assert (or (not case0) (not (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (together_d1_2_II i_d0 i_d2))))))

; LIN + in 1 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2)))))
(assert (or (not case1) (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)))))
(assert (or (not case1) (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II
  i_d0 any_d1) (sum1_T (summed1_2_II any_d1 i_d2))))))
(assert (or (not case1) (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0
  i_d2) any_d1))) (= (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2)))))
(assert (or (not case1) (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0
  any_d1) (sum1_T (summed1_2_II any_d1 i_d2))))))
(assert (or (not case1) (not (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (together_d1_2_II i_d0 i_d2))))))

; LIN + in 0 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2)))))
(assert (or (not case2) (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)))))
(assert (or (not case2) (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T
  (summed0_2_II i_d0 any_d1)) (x1_2_II i_d2 any_d1)))))
(assert (or (not case2) (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0
  i_d2) any_d1))) (= (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2)))))
(assert (or (not case2) (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T
  (summed0_2_II i_d0 any_d1)) (x1_2_II i_d2 any_d1)))))
(assert (or (not case2) (not (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (together_d1_2_II i_d0 i_d2))))))

; LIN + in 1 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2)))))
(assert (or (not case3) (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)))))
(assert (or (not case3) (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II
  i_d0 any_d1) (sum1_T (summed1_2_II i_d2 any_d1))))))
(assert (or (not case3) (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0
  i_d2) any_d1))) (= (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2)))))
(assert (or (not case3) (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0
  any_d1) (sum1_T (summed1_2_II i_d2 any_d1))))))
(assert (or (not case3) (not (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (together_d1_2_II i_d0 i_d2))))))

; LIN + in 0 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (=
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (not (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; LIN + in 1 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (=
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case5) (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (not (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; LIN + in 0 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case6) (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (=
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case6) (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (not (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; LIN + in 1 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case7) (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (=
  (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case7) (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (not (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; LIN + in 0 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case8) (= (sum1_T (ranks1_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (sum1_T
  (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (= (at2_TI (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0)
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (or (not (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d0) (at2_TI (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (=
  (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case8) (= (sum1_T (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (not (= (sum1_T (ranks1_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; LIN + in 1 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case9) (= (sum1_T (ranks1_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (sum1_T
  (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (= (at2_TI (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0)
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (or (not (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d0) (at2_TI (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (=
  (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8)))))
(assert (or (not case9) (= (sum1_T (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (not (= (sum1_T (ranks1_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T
  (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))))

; LIN + in 0 of grouped_conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case10) (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (not (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; LIN + in 1 of grouped_conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case11) (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (not (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; LIN + in 0 of grouped_conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case12) (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (not (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; LIN + in 1 of grouped_conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case13) (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (not (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; LIN + in 0 of grouped_conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case14) (= (sum1_T (ranks1_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (sum1_T (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (= (at2_TI (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (or (not (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d0) (at2_TI (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (=
  (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (= (sum1_T (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (not (= (sum1_T (ranks1_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; LIN + in 1 of grouped_conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case15) (= (sum1_T (ranks1_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (sum1_T (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (= (at2_TI (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (or (not (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d0) (at2_TI (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (=
  (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (= (sum1_T (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (not (= (sum1_T (ranks1_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))))

; LIN + in 0 of mul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case16) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case16) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; LIN + in 1 of mul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case17) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (sum1_T
  (summed1_2_II i_d0 i_d1))))))
(assert (or (not case17) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (sum1_T (summed1_2_II i_d0 i_d1)))))))

; LIN + in 0 of div: the lemmas' instances, and that the claim does not hold.
(assert (or (not case18) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case18) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; LIN + in 0 of neg: the lemmas' instances, and that the claim does not hold.
(assert (or (not case19) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case19) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 0 of cast: the lemmas' instances, and that the claim does not hold.
(assert (or (not case20) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case20) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 0 of sum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case21) (= (sum1_T ranks2_) (sum1_T exchanged_d0_))))
(assert (or (not case21) (= (at2_TI exchanged_d0_ any_d0) (sum1_T (ranks1_1_I any_d0)))))
(assert (or (not case21) (= (at2_TI together_d0_ any_d0) (sum1_T (together_d1_1_I any_d0)))))
(assert (or (not case21) (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_
  together_d0_))))
(assert (or (not case21) (= (sum1_T (ranks1_1_I any_d0)) (sum1_T (exchanged_d1_1_I any_d0)))))
(assert (or (not case21) (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (sum1_T (ranks0_2_II any_d0 any_d1)))))
(assert (or (not case21) (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (sum1_T
  (summed0_2_II any_d0 any_d1))))))
(assert (or (not case21) (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0)
  any_d1))) (= (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0)))))
(assert (or (not case21) (= (sum1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (sum1_T (summed0_2_II
  any_d0 any_d1))))))
(assert (or (not case21) (not (= (sum1_T ranks2_) (sum1_T together_d0_)))))

; LIN + in 0 of sum_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case22) (= (sum1_T (ranks2_2_II i_d2 i_d3)) (sum1_T (exchanged_d0_2_II i_d2 i_d3)))))
(assert (or (not case22) (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (sum1_T (ranks1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case22) (= (at2_TI (together_d0_2_II i_d2 i_d3) any_d0) (sum1_T (together_d1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case22) (or (not (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (at2_TI (together_d0_2_II i_d2
  i_d3) any_d0))) (= (exchanged_d0_2_II i_d2 i_d3) (together_d0_2_II i_d2 i_d3)))))
(assert (or (not case22) (= (sum1_T (ranks1_3_III any_d0 i_d2 i_d3)) (sum1_T (exchanged_d1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case22) (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (sum1_T (ranks0_4_IIII any_d0
  any_d1 i_d2 i_d3)))))
(assert (or (not case22) (= (at2_TI (together_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1
  i_d2 i_d3 (sum1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case22) (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (at2_TI
  (together_d1_3_III any_d0 i_d2 i_d3) any_d1))) (= (exchanged_d1_3_III any_d0 i_d2 i_d3) (together_d1_3_III any_d0
  i_d2 i_d3)))))
(assert (or (not case22) (= (sum1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3)) (operation5_IIIIV any_d0 any_d1 i_d2
  i_d3 (sum1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case22) (not (= (sum1_T (ranks2_2_II i_d2 i_d3)) (sum1_T (together_d0_2_II i_d2 i_d3))))))

; LIN + in 0 of softmax_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case23) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1) (together_row1_2_II i_d0 i_d1)))))
(assert (or (not case23) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II
  i_d0 i_d1) (together_row1_2_II i_d0 i_d1))))))

; LIN + in 0 of cumsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case24) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1)))))
(assert (or (not case24) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1))))))

; LIN + in 0 of max_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case25) (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation6_IIIITT i_d0 i_d1
  i_d2 i_d3 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (together_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5)))))
(assert (or (not case25) (not (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation6_IIIITT i_d0
  i_d1 i_d2 i_d3 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (together_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5))))))

; LIN + in 0 of adaptive_avg_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case26) (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1
  i_d4 i_d5 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case26) (not (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0
  i_d1 i_d4 i_d5 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))))

; LIN + in 0 of adaptive_avg_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case27) (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1
  i_d2 i_d3 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case27) (not (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0
  i_d1 i_d2 i_d3 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))))

; LIN + in 0 of transpose: the lemmas' instances, and that the claim does not hold.
(assert (or (not case28) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case28) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 0 of slice: the lemmas' instances, and that the claim does not hold.
(assert (or (not case29) (= (sum1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2 (together_row0_3_III
  i_d0 i_d1 i_d2)))))
(assert (or (not case29) (not (= (sum1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2
  (together_row0_3_III i_d0 i_d1 i_d2))))))

; LIN + in 0 of embedding: the lemmas' instances, and that the claim does not hold.
(assert (or (not case30) (= (sum1_T (ranks1_3_III i_d0 i_d1 i_d3)) (sum1_T (exchanged_d2_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case30) (= (at2_TI (exchanged_d2_3_III i_d0 i_d1 i_d3) any_d2) (sum1_T (ranks0_4_IIII i_d0 i_d1
  any_d2 i_d3)))))
(assert (or (not case30) (= (at2_TI (together_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2
  i_d3 (sum1_T (summed0_2_II any_d2 i_d3)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case30) (or (not (= (at2_TI (exchanged_d2_3_III i_d0 i_d1 i_d3) any_d2) (at2_TI (together_d2_3_III
  i_d0 i_d1 i_d3) any_d2))) (= (exchanged_d2_3_III i_d0 i_d1 i_d3) (together_d2_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case30) (= (sum1_T (ranks0_4_IIII i_d0 i_d1 any_d2 i_d3)) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3
  (sum1_T (summed0_2_II any_d2 i_d3)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case30) (not (= (sum1_T (ranks1_3_III i_d0 i_d1 i_d3)) (sum1_T (together_d2_3_III i_d0 i_d1
  i_d3))))))

; LIN + in 0 of pick: the lemmas' instances, and that the claim does not hold.
(assert (or (not case31) (= (sum1_T (ranks1_1_I i_d0)) (sum1_T (exchanged_d1_1_I i_d0)))))
(assert (or (not case31) (= (at2_TI (exchanged_d1_1_I i_d0) any_d1) (sum1_T (ranks0_2_II i_d0 any_d1)))))
(assert (or (not case31) (= (at2_TI (together_d1_1_I i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (sum1_T
  (summed0_2_II i_d0 any_d1)) (x1_1_I i_d0)))))
(assert (or (not case31) (or (not (= (at2_TI (exchanged_d1_1_I i_d0) any_d1) (at2_TI (together_d1_1_I i_d0)
  any_d1))) (= (exchanged_d1_1_I i_d0) (together_d1_1_I i_d0)))))
(assert (or (not case31) (= (sum1_T (ranks0_2_II i_d0 any_d1)) (operation4_IIVV i_d0 any_d1 (sum1_T (summed0_2_II
  i_d0 any_d1)) (x1_1_I i_d0)))))
(assert (or (not case31) (not (= (sum1_T (ranks1_1_I i_d0)) (sum1_T (together_d1_1_I i_d0))))))

; LIN + in 0 of pick_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case32) (= (sum1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2 (sum1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case32) (not (= (sum1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2 (sum1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; LIN + in 0 of cross_entropy_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case33) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (sum1_T (summed0_1_I i_d0))
  (x1_2_II i_d0 i_d1) (x2_1_I i_d0)))))
(assert (or (not case33) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (sum1_T (summed0_1_I
  i_d0)) (x1_2_II i_d0 i_d1) (x2_1_I i_d0))))))

; LIN + in 0 of embedding_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case34) (= (sum1_T (ranks1_2_II i_d1 i_d2)) (sum1_T (exchanged_d0_2_II i_d1 i_d2)))))
(assert (or (not case34) (= (at2_TI (exchanged_d0_2_II i_d1 i_d2) any_d0) (sum1_T (ranks0_3_III any_d0 i_d1
  i_d2)))))
(assert (or (not case34) (= (at2_TI (together_d0_2_II i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (sum1_T
  (summed0_2_II any_d0 i_d1)) (x1_1_I any_d0)))))
(assert (or (not case34) (or (not (= (at2_TI (exchanged_d0_2_II i_d1 i_d2) any_d0) (at2_TI (together_d0_2_II i_d1
  i_d2) any_d0))) (= (exchanged_d0_2_II i_d1 i_d2) (together_d0_2_II i_d1 i_d2)))))
(assert (or (not case34) (= (sum1_T (ranks0_3_III any_d0 i_d1 i_d2)) (operation5_IIIVV any_d0 i_d1 i_d2 (sum1_T
  (summed0_2_II any_d0 i_d1)) (x1_1_I any_d0)))))
(assert (or (not case34) (not (= (sum1_T (ranks1_2_II i_d1 i_d2)) (sum1_T (together_d0_2_II i_d1 i_d2))))))

; LIN + in 0 of dropout: the lemmas' instances, and that the claim does not hold.
(assert (or (not case35) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case35) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 1 of weighted_layernorm: the lemmas' instances, and that the claim does not hold.
(assert (or (not case36) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1) (together_row1_2_II i_d0 i_d1)))))
(assert (or (not case36) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II
  i_d0 i_d1) (together_row1_2_II i_d0 i_d1))))))

; LIN + in 0 of weighted_layernorm_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case37) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IITTT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1) (together_row1_2_II i_d0 i_d1) (together_row2_2_II i_d0 i_d1)))))
(assert (or (not case37) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IITTT i_d0 i_d1 (together_row0_2_II
  i_d0 i_d1) (together_row1_2_II i_d0 i_d1) (together_row2_2_II i_d0 i_d1))))))

; LIN + in 0 of layernorm_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case38) (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (exchanged_d0_1_I i_d1)))))
(assert (or (not case38) (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (sum1_T (ranks0_2_II any_d0 i_d1)))))
(assert (or (not case38) (= (at2_TI (together_d0_1_I i_d1) any_d0) (operation4_IITT any_d0 i_d1 (together_row0_2_II
  any_d0 i_d1) (together_row1_2_II any_d0 i_d1)))))
(assert (or (not case38) (or (not (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (at2_TI (together_d0_1_I i_d1)
  any_d0))) (= (exchanged_d0_1_I i_d1) (together_d0_1_I i_d1)))))
(assert (or (not case38) (= (sum1_T (ranks0_2_II any_d0 i_d1)) (operation4_IITT any_d0 i_d1 (together_row0_2_II
  any_d0 i_d1) (together_row1_2_II any_d0 i_d1)))))
(assert (or (not case38) (not (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (together_d0_1_I i_d1))))))

; LIN + in 2 of attention: the lemmas' instances, and that the claim does not hold.
(assert (or (not case39) (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT i_d0
  i_d1 i_d2 i_d5 (together_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case39) (not (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT
  i_d0 i_d1 i_d2 i_d5 (together_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))))

; LIN + in 0 of attention_query_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case40) (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation9_IIIITTTTT
  i_d0 i_d1 i_d2 i_d4 (together_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  (together_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case40) (not (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))
  (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4 (together_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  (together_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (together_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6))))))

; LIN + in 0 of attention_key_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case41) (= (sum1_T (ranks1_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (exchanged_d2_6_IIIIII
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case41) (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (sum1_T
  (ranks0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case41) (= (at2_TI (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIITTTTT i_d0 i_d1 any_d2 i_d3 i_d4 (together_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (together_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6) (together_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case41) (or (not (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case41) (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)) (operation10_IIIIITTTTT
  i_d0 i_d1 any_d2 i_d3 i_d4 (together_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII
  i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (together_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case41) (not (= (sum1_T (ranks1_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T
  (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))))

; LIN + in 0 of attention_value_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case42) (= (sum1_T (ranks1_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (exchanged_d2_6_IIIIII
  i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case42) (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (sum1_T
  (ranks0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case42) (= (at2_TI (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (sum1_T (summed0_4_IIII i_d0 i_d1 any_d2 i_d5))
  (together_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6) (together_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5)))))
(assert (or (not case42) (or (not (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case42) (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)) (operation10_IIIIIVTTTV
  i_d0 i_d1 any_d2 i_d3 i_d5 (sum1_T (summed0_4_IIII i_d0 i_d1 any_d2 i_d5)) (together_row1_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (together_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5)))))
(assert (or (not case42) (not (= (sum1_T (ranks1_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T
  (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))))

; LIN + in 2 of batch_norm: the lemmas' instances, and that the claim does not hold.
(assert (or (not case43) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_1_I
  i_d1) (sum1_T (summed2_1_I i_d1))))))
(assert (or (not case43) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (x1_1_I i_d1) (sum1_T (summed2_1_I i_d1)))))))

; LIN + in 0 of batch_norm_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case44) (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (exchanged_d0_1_I i_d1)))))
(assert (or (not case44) (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (sum1_T (ranks0_2_II any_d0 i_d1)))))
(assert (or (not case44) (= (at2_TI (together_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (sum1_T
  (summed0_2_II any_d0 i_d1)) (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1)))))
(assert (or (not case44) (or (not (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (at2_TI (together_d0_1_I i_d1)
  any_d0))) (= (exchanged_d0_1_I i_d1) (together_d0_1_I i_d1)))))
(assert (or (not case44) (= (sum1_T (ranks0_2_II any_d0 i_d1)) (operation6_IIVVVV any_d0 i_d1 (sum1_T (summed0_2_II
  any_d0 i_d1)) (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1)))))
(assert (or (not case44) (not (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (together_d0_1_I i_d1))))))

; LIN + in 3 of batch_norm_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case45) (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (exchanged_d0_1_I i_d1)))))
(assert (or (not case45) (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (sum1_T (ranks0_2_II any_d0 i_d1)))))
(assert (or (not case45) (= (at2_TI (together_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0
  i_d1) (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (sum1_T (summed3_1_I i_d1))))))
(assert (or (not case45) (or (not (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (at2_TI (together_d0_1_I i_d1)
  any_d0))) (= (exchanged_d0_1_I i_d1) (together_d0_1_I i_d1)))))
(assert (or (not case45) (= (sum1_T (ranks0_2_II any_d0 i_d1)) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1)
  (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (sum1_T (summed3_1_I i_d1))))))
(assert (or (not case45) (not (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (together_d0_1_I i_d1))))))

; LIN + in 4 of batch_norm_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case46) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation9_IIVVVVVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (x1_2_II i_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1) (sum1_T (summed4_1_I i_d1)) (x5_1_I i_d1) (x6_1_I i_d1)))))
(assert (or (not case46) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation9_IIVVVVVVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (x1_2_II i_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1) (sum1_T (summed4_1_I i_d1)) (x5_1_I i_d1) (x6_1_I i_d1))))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 case11 case12 case13 case14 case15
  case16 case17 case18 case19 case20 case21 case22 case23 case24 case25 case26 case27 case28 case29 case30 case31
  case32 case33 case34 case35 case36 case37 case38 case39 case40 case41 case42 case43 case44 case45 case46))

(check-sat)
