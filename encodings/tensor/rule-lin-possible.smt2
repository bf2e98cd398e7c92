; Sums over ranks pass through an operation that is linear in the operand that is a summand. What the proofs assume,
; all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun any_d2 () Int)
(declare-fun at2_TI (TensorTable Int) Value)
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

; LIN + in 0 of einsum: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2))))
(assert (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2))))
(assert (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T (summed0_2_II
  i_d0 any_d1)) (x1_2_II any_d1 i_d2))))
(assert (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0 i_d2) any_d1))) (=
  (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2))))
(assert (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T (summed0_2_II i_d0
  any_d1)) (x1_2_II any_d1 i_d2))))

; LIN + in 1 of einsum: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2))))
(assert (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2))))
(assert (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (sum1_T (summed1_2_II any_d1 i_d2)))))
(assert (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0 i_d2) any_d1))) (=
  (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2))))
(assert (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1) (sum1_T
  (summed1_2_II any_d1 i_d2)))))

; LIN + in 0 of linear: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2))))
(assert (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2))))
(assert (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T (summed0_2_II
  i_d0 any_d1)) (x1_2_II i_d2 any_d1))))
(assert (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0 i_d2) any_d1))) (=
  (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2))))
(assert (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (sum1_T (summed0_2_II i_d0
  any_d1)) (x1_2_II i_d2 any_d1))))

; LIN + in 1 of linear: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_d0 i_d2)) (sum1_T (exchanged_d1_2_II i_d0 i_d2))))
(assert (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (sum1_T (ranks0_3_III i_d0 any_d1 i_d2))))
(assert (= (at2_TI (together_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (sum1_T (summed1_2_II i_d2 any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_2_II i_d0 i_d2) any_d1) (at2_TI (together_d1_2_II i_d0 i_d2) any_d1))) (=
  (exchanged_d1_2_II i_d0 i_d2) (together_d1_2_II i_d0 i_d2))))
(assert (= (sum1_T (ranks0_3_III i_d0 any_d1 i_d2)) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1) (sum1_T
  (summed1_2_II i_d2 any_d1)))))

; LIN + in 0 of conv2d: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (exchanged_d1_8_IIIIIIII
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (at2_TI
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (exchanged_d1_8_IIIIIIII i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LIN + in 1 of conv2d: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (exchanged_d1_8_IIIIIIII
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (at2_TI
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (exchanged_d1_8_IIIIIIII i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LIN + in 0 of conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (exchanged_d1_8_IIIIIIII
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (at2_TI
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (exchanged_d1_8_IIIIIIII i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LIN + in 1 of conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (exchanged_d1_8_IIIIIIII
  i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (sum1_T
  (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (exchanged_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (at2_TI
  (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (exchanged_d1_8_IIIIIIII i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LIN + in 0 of conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (exchanged_d0_8_IIIIIIII
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (sum1_T
  (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (operation7_IIIIITT
  any_d0 i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (at2_TI
  (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (= (exchanged_d0_8_IIIIIIII i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (operation7_IIIIITT any_d0
  i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LIN + in 1 of conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (exchanged_d0_8_IIIIIIII
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (sum1_T
  (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (operation7_IIIIITT
  any_d0 i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (exchanged_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (at2_TI
  (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (= (exchanged_d0_8_IIIIIIII i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (together_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (operation7_IIIIITT any_d0
  i_d1 i_d4 i_d7 i_d8 (together_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (together_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LIN + in 0 of grouped_conv2d: the lemmas' instances.
(assert (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (sum1_T
  (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (at2_TI
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (= (exchanged_d2_9_IIIIIIIII i_d0
  i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (operation8_IIIIIITT
  i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LIN + in 1 of grouped_conv2d: the lemmas' instances.
(assert (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (sum1_T
  (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (at2_TI
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (= (exchanged_d2_9_IIIIIIIII i_d0
  i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (operation8_IIIIIITT
  i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LIN + in 0 of grouped_conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (sum1_T
  (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (at2_TI
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (= (exchanged_d2_9_IIIIIIIII i_d0
  i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (operation8_IIIIIITT
  i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LIN + in 1 of grouped_conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (sum1_T
  (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (exchanged_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (at2_TI
  (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (= (exchanged_d2_9_IIIIIIIII i_d0
  i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (sum1_T (ranks0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (operation8_IIIIIITT
  i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (together_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LIN + in 0 of grouped_conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0) (sum1_T
  (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0) (at2_TI
  (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (= (exchanged_d0_9_IIIIIIIII i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (sum1_T (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (operation8_IIIIIITT
  any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LIN + in 1 of grouped_conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T
  (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0) (sum1_T
  (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (exchanged_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0) (at2_TI
  (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (= (exchanged_d0_9_IIIIIIIII i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (together_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (sum1_T (ranks0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (operation8_IIIIIITT
  any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (together_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (together_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LIN + in 0 of mul: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)) (x1_2_II
  i_d0 i_d1))))

; LIN + in 1 of mul: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (sum1_T (summed1_2_II
  i_d0 i_d1)))))

; LIN + in 0 of div: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)) (x1_2_II
  i_d0 i_d1))))

; LIN + in 0 of neg: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)))))

; LIN + in 0 of cast: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)))))

; LIN + in 0 of sum: the lemmas' instances.
(assert (= (sum1_T ranks2_) (sum1_T exchanged_d0_)))
(assert (= (at2_TI exchanged_d0_ any_d0) (sum1_T (ranks1_1_I any_d0))))
(assert (= (at2_TI together_d0_ any_d0) (sum1_T (together_d1_1_I any_d0))))
(assert (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_ together_d0_)))
(assert (= (sum1_T (ranks1_1_I any_d0)) (sum1_T (exchanged_d1_1_I any_d0))))
(assert (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (sum1_T (ranks0_2_II any_d0 any_d1))))
(assert (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (sum1_T (summed0_2_II any_d0
  any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0) any_d1))) (=
  (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0))))
(assert (= (sum1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (sum1_T (summed0_2_II any_d0
  any_d1)))))

; LIN + in 0 of sum_kept: the lemmas' instances.
(assert (= (sum1_T (ranks2_2_II i_d2 i_d3)) (sum1_T (exchanged_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (sum1_T (ranks1_3_III any_d0 i_d2 i_d3))))
(assert (= (at2_TI (together_d0_2_II i_d2 i_d3) any_d0) (sum1_T (together_d1_3_III any_d0 i_d2 i_d3))))
(assert (or (not (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (at2_TI (together_d0_2_II i_d2 i_d3) any_d0))) (=
  (exchanged_d0_2_II i_d2 i_d3) (together_d0_2_II i_d2 i_d3))))
(assert (= (sum1_T (ranks1_3_III any_d0 i_d2 i_d3)) (sum1_T (exchanged_d1_3_III any_d0 i_d2 i_d3))))
(assert (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (sum1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3))))
(assert (= (at2_TI (together_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3 (sum1_T
  (summed0_2_II any_d0 any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (at2_TI (together_d1_3_III any_d0 i_d2
  i_d3) any_d1))) (= (exchanged_d1_3_III any_d0 i_d2 i_d3) (together_d1_3_III any_d0 i_d2 i_d3))))
(assert (= (sum1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3)) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3 (sum1_T
  (summed0_2_II any_d0 any_d1)))))

; LIN + in 0 of softmax_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II i_d0 i_d1)
  (together_row1_2_II i_d0 i_d1))))

; LIN + in 0 of cumsum: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (together_row0_2_II i_d0 i_d1))))

; LIN + in 0 of max_pool2d_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation6_IIIITT i_d0 i_d1 i_d2 i_d3
  (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (together_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LIN + in 0 of adaptive_avg_pool2d: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LIN + in 0 of adaptive_avg_pool2d_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d2 i_d3
  (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LIN + in 0 of transpose: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)))))

; LIN + in 0 of slice: the lemmas' instances.
(assert (= (sum1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2 (together_row0_3_III i_d0 i_d1 i_d2))))

; LIN + in 0 of embedding: the lemmas' instances.
(assert (= (sum1_T (ranks1_3_III i_d0 i_d1 i_d3)) (sum1_T (exchanged_d2_3_III i_d0 i_d1 i_d3))))
(assert (= (at2_TI (exchanged_d2_3_III i_d0 i_d1 i_d3) any_d2) (sum1_T (ranks0_4_IIII i_d0 i_d1 any_d2 i_d3))))
(assert (= (at2_TI (together_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (sum1_T
  (summed0_2_II any_d2 i_d3)) (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (exchanged_d2_3_III i_d0 i_d1 i_d3) any_d2) (at2_TI (together_d2_3_III i_d0 i_d1 i_d3)
  any_d2))) (= (exchanged_d2_3_III i_d0 i_d1 i_d3) (together_d2_3_III i_d0 i_d1 i_d3))))
(assert (= (sum1_T (ranks0_4_IIII i_d0 i_d1 any_d2 i_d3)) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (sum1_T
  (summed0_2_II any_d2 i_d3)) (x1_2_II i_d0 i_d1))))

; LIN + in 0 of pick: the lemmas' instances.
(assert (= (sum1_T (ranks1_1_I i_d0)) (sum1_T (exchanged_d1_1_I i_d0))))
(assert (= (at2_TI (exchanged_d1_1_I i_d0) any_d1) (sum1_T (ranks0_2_II i_d0 any_d1))))
(assert (= (at2_TI (together_d1_1_I i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (sum1_T (summed0_2_II i_d0 any_d1))
  (x1_1_I i_d0))))
(assert (or (not (= (at2_TI (exchanged_d1_1_I i_d0) any_d1) (at2_TI (together_d1_1_I i_d0) any_d1))) (=
  (exchanged_d1_1_I i_d0) (together_d1_1_I i_d0))))
(assert (= (sum1_T (ranks0_2_II i_d0 any_d1)) (operation4_IIVV i_d0 any_d1 (sum1_T (summed0_2_II i_d0 any_d1))
  (x1_1_I i_d0))))

; LIN + in 0 of pick_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2 (sum1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; LIN + in 0 of cross_entropy_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (sum1_T (summed0_1_I i_d0)) (x1_2_II i_d0
  i_d1) (x2_1_I i_d0))))

; LIN + in 0 of embedding_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_d1 i_d2)) (sum1_T (exchanged_d0_2_II i_d1 i_d2))))
(assert (= (at2_TI (exchanged_d0_2_II i_d1 i_d2) any_d0) (sum1_T (ranks0_3_III any_d0 i_d1 i_d2))))
(assert (= (at2_TI (together_d0_2_II i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (sum1_T (summed0_2_II
  any_d0 i_d1)) (x1_1_I any_d0))))
(assert (or (not (= (at2_TI (exchanged_d0_2_II i_d1 i_d2) any_d0) (at2_TI (together_d0_2_II i_d1 i_d2) any_d0))) (=
  (exchanged_d0_2_II i_d1 i_d2) (together_d0_2_II i_d1 i_d2))))
(assert (= (sum1_T (ranks0_3_III any_d0 i_d1 i_d2)) (operation5_IIIVV any_d0 i_d1 i_d2 (sum1_T (summed0_2_II any_d0
  i_d1)) (x1_1_I any_d0))))

; LIN + in 0 of dropout: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)))))

; LIN + in 1 of weighted_layernorm: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II i_d0 i_d1)
  (together_row1_2_II i_d0 i_d1))))

; LIN + in 0 of weighted_layernorm_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IITTT i_d0 i_d1 (together_row0_2_II i_d0 i_d1)
  (together_row1_2_II i_d0 i_d1) (together_row2_2_II i_d0 i_d1))))

; LIN + in 0 of layernorm_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (exchanged_d0_1_I i_d1))))
(assert (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (sum1_T (ranks0_2_II any_d0 i_d1))))
(assert (= (at2_TI (together_d0_1_I i_d1) any_d0) (operation4_IITT any_d0 i_d1 (together_row0_2_II any_d0 i_d1)
  (together_row1_2_II any_d0 i_d1))))
(assert (or (not (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (at2_TI (together_d0_1_I i_d1) any_d0))) (=
  (exchanged_d0_1_I i_d1) (together_d0_1_I i_d1))))
(assert (= (sum1_T (ranks0_2_II any_d0 i_d1)) (operation4_IITT any_d0 i_d1 (together_row0_2_II any_d0 i_d1)
  (together_row1_2_II any_d0 i_d1))))

; LIN + in 2 of attention: the lemmas' instances.
(assert (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT i_d0 i_d1 i_d2 i_d5
  (together_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; LIN + in 0 of attention_query_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4
  (together_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (together_row3_7_IIIIIII i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; LIN + in 0 of attention_key_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6))))
(assert (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (sum1_T (ranks0_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIITTTTT i_d0 i_d1
  any_d2 i_d3 i_d4 (together_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (together_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6))))
(assert (or (not (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)) (operation10_IIIIITTTTT i_d0 i_d1 any_d2
  i_d3 i_d4 (together_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row1_7_IIIIIII i_d0 i_d1 any_d2
  i_d3 i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row3_7_IIIIIII i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; LIN + in 0 of attention_value_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)) (sum1_T (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6))))
(assert (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (sum1_T (ranks0_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (sum1_T (summed0_4_IIII i_d0 i_d1 any_d2 i_d5)) (together_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row3_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5))))
(assert (or (not (= (at2_TI (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (exchanged_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (together_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (sum1_T (ranks0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)) (operation10_IIIIIVTTTV i_d0 i_d1 any_d2
  i_d3 i_d5 (sum1_T (summed0_4_IIII i_d0 i_d1 any_d2 i_d5)) (together_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (together_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (together_row3_7_IIIIIII i_d0 i_d1 any_d2
  i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5))))

; LIN + in 2 of batch_norm: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_1_I i_d1) (sum1_T
  (summed2_1_I i_d1)))))

; LIN + in 0 of batch_norm_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (exchanged_d0_1_I i_d1))))
(assert (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (sum1_T (ranks0_2_II any_d0 i_d1))))
(assert (= (at2_TI (together_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (sum1_T (summed0_2_II any_d0 i_d1))
  (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1))))
(assert (or (not (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (at2_TI (together_d0_1_I i_d1) any_d0))) (=
  (exchanged_d0_1_I i_d1) (together_d0_1_I i_d1))))
(assert (= (sum1_T (ranks0_2_II any_d0 i_d1)) (operation6_IIVVVV any_d0 i_d1 (sum1_T (summed0_2_II any_d0 i_d1))
  (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1))))

; LIN + in 3 of batch_norm_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_1_I i_d1)) (sum1_T (exchanged_d0_1_I i_d1))))
(assert (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (sum1_T (ranks0_2_II any_d0 i_d1))))
(assert (= (at2_TI (together_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_2_II
  any_d0 i_d1) (x2_1_I i_d1) (sum1_T (summed3_1_I i_d1)))))
(assert (or (not (= (at2_TI (exchanged_d0_1_I i_d1) any_d0) (at2_TI (together_d0_1_I i_d1) any_d0))) (=
  (exchanged_d0_1_I i_d1) (together_d0_1_I i_d1))))
(assert (= (sum1_T (ranks0_2_II any_d0 i_d1)) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_2_II any_d0
  i_d1) (x2_1_I i_d1) (sum1_T (summed3_1_I i_d1)))))

; LIN + in 4 of batch_norm_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation9_IIVVVVVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)
  (x2_1_I i_d1) (x3_1_I i_d1) (sum1_T (summed4_1_I i_d1)) (x5_1_I i_d1) (x6_1_I i_d1))))

(check-sat)
