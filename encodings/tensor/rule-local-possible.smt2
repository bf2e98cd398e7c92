; Of a rank's own operands no more is claimed than what that rank computes. What the proofs assume, all of it at
; once.
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
(declare-fun any_d2 () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun at3_TII (TensorTable Int Int) Value)
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
(declare-fun local_d0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d0_1_I (Int) TensorTable)
(declare-fun local_d0_2_II (Int Int) TensorTable)
(declare-fun local_d0_3_III (Int Int Int) TensorTable)
(declare-fun local_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d1_2_II (Int Int) TensorTable)
(declare-fun local_d1_3_III (Int Int Int) TensorTable)
(declare-fun local_d1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_d1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d2_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d2_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_d2_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_11_IIIIIIIIIII (Int Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_3_III (Int Int Int) TensorTable)
(declare-fun local_row0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_row0_5_IIIII (Int Int Int Int Int) TensorTable)
(declare-fun local_row0_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_11_IIIIIIIIIII (Int Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_3_III (Int Int Int) TensorTable)
(declare-fun local_row1_5_IIIII (Int Int Int Int Int) TensorTable)
(declare-fun local_row1_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row2_3_III (Int Int Int) TensorTable)
(declare-fun local_row2_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row3_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row4_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
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
(declare-fun rank () Int)
(declare-fun smallest1_T (TensorTable) Value)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun whole_d0_ () TensorTable)
(declare-fun whole_d0_1_I (Int) TensorTable)
(declare-fun whole_d0_2_II (Int Int) TensorTable)
(declare-fun whole_d0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d1_1_I (Int) TensorTable)
(declare-fun whole_d1_2_II (Int Int) TensorTable)
(declare-fun whole_d1_3_III (Int Int Int) TensorTable)
(declare-fun whole_d1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d2_3_III (Int Int Int) TensorTable)
(declare-fun whole_d2_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d2_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_2_II (Int Int) TensorTable)
(declare-fun whole_row0_3_III (Int Int Int) TensorTable)
(declare-fun whole_row0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun whole_row0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_2_II (Int Int) TensorTable)
(declare-fun whole_row1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun whole_row1_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row2_2_II (Int Int) TensorTable)
(declare-fun whole_row2_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row3_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row4_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
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

; LOCAL of einsum: the lemmas' instances.
(assert (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II any_d1 i_d2))))
(assert (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II any_d1 i_d2))))
(assert (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1))) (=
  (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2))))

; LOCAL of linear: the lemmas' instances.
(assert (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II i_d2 any_d1))))
(assert (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II i_d2 any_d1))))
(assert (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1))) (=
  (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2))))

; LOCAL of conv2d: the lemmas' instances.
(assert (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT
  i_d0 any_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (at2_TI
  (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (local_d1_9_IIIIIIIII rank i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1))) (=
  (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row0_9_IIIIIIIII i_d0 any_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LOCAL of conv2d_input_backward: the lemmas' instances.
(assert (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT
  i_d0 any_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (operation7_IIIIITT i_d0
  any_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1) (at2_TI
  (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (local_d1_9_IIIIIIIII rank i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1))) (=
  (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row0_9_IIIIIIIII i_d0 any_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LOCAL of conv2d_weight_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_9_IIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (operation7_IIIIITT
  any_d0 i_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at2_TI (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (operation7_IIIIITT any_d0
  i_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (or (not (= (at2_TI (local_d0_9_IIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0) (at2_TI
  (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (= (local_d0_9_IIIIIIIII rank i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1)
  (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (at3_TII (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0 any_0_1))) (=
  (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row0_9_IIIIIIIII any_d0 i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII any_d0 i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; LOCAL of grouped_conv2d: the lemmas' instances.
(assert (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (operation8_IIIIIITT
  i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (= (local_d2_10_IIIIIIIIII
  rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9))))
(assert (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1)
  (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LOCAL of grouped_conv2d_input_backward: the lemmas' instances.
(assert (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2) (operation8_IIIIIITT
  i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (= (local_d2_10_IIIIIIIIII
  rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9))))
(assert (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1)
  (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LOCAL of grouped_conv2d_weight_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0) (operation8_IIIIIITT
  any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (or (not (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (= (local_d0_10_IIIIIIIIII
  rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9))))
(assert (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1)
  (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1))) (= (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; LOCAL of add: the lemmas' instances.

; LOCAL of sub: the lemmas' instances.

; LOCAL of mul: the lemmas' instances.

; LOCAL of div: the lemmas' instances.

; LOCAL of neg: the lemmas' instances.

; LOCAL of pow: the lemmas' instances.

; LOCAL of maximum: the lemmas' instances.

; LOCAL of minimum: the lemmas' instances.

; LOCAL of sqrt: the lemmas' instances.

; LOCAL of rsqrt: the lemmas' instances.

; LOCAL of exp: the lemmas' instances.

; LOCAL of silu: the lemmas' instances.

; LOCAL of gt: the lemmas' instances.

; LOCAL of lt: the lemmas' instances.

; LOCAL of where: the lemmas' instances.

; LOCAL of cast: the lemmas' instances.

; LOCAL of sum: the lemmas' instances.
(assert (= (at2_TI (local_d0_1_I rank) any_d0) (sum1_T (local_d1_2_II rank any_d0))))
(assert (= (at2_TI whole_d0_ any_d0) (sum1_T (whole_d1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_1_I rank) any_d0) (at2_TI whole_d0_ any_d0))) (= (local_d0_1_I rank)
  whole_d0_)))
(assert (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (at2_TI (whole_d1_1_I any_d0) any_d1))) (=
  (local_d1_2_II rank any_d0) (whole_d1_1_I any_d0))))

; LOCAL of max: the lemmas' instances.
(assert (= (at2_TI (local_d0_1_I rank) any_d0) (largest1_T (local_d1_2_II rank any_d0))))
(assert (= (at2_TI whole_d0_ any_d0) (largest1_T (whole_d1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_1_I rank) any_d0) (at2_TI whole_d0_ any_d0))) (= (local_d0_1_I rank)
  whole_d0_)))
(assert (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (at2_TI (whole_d1_1_I any_d0) any_d1))) (=
  (local_d1_2_II rank any_d0) (whole_d1_1_I any_d0))))

; LOCAL of min: the lemmas' instances.
(assert (= (at2_TI (local_d0_1_I rank) any_d0) (smallest1_T (local_d1_2_II rank any_d0))))
(assert (= (at2_TI whole_d0_ any_d0) (smallest1_T (whole_d1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_1_I rank) any_d0) (at2_TI whole_d0_ any_d0))) (= (local_d0_1_I rank)
  whole_d0_)))
(assert (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (at2_TI (whole_d1_1_I any_d0) any_d1))) (=
  (local_d1_2_II rank any_d0) (whole_d1_1_I any_d0))))

; LOCAL of sum_kept: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_d2 i_d3) any_d0) (sum1_T (local_d1_4_IIII rank any_d0 i_d2 i_d3))))
(assert (= (at2_TI (whole_d0_2_II i_d2 i_d3) any_d0) (sum1_T (whole_d1_3_III any_d0 i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_d2 i_d3) any_d0) (at2_TI (whole_d0_2_II i_d2 i_d3) any_d0))) (=
  (local_d0_3_III rank i_d2 i_d3) (whole_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_d1_4_IIII rank any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3 (x0_2_II
  any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII rank any_d0 i_d2 i_d3) any_d1) (at2_TI (whole_d1_3_III any_d0 i_d2
  i_d3) any_d1))) (= (local_d1_4_IIII rank any_d0 i_d2 i_d3) (whole_d1_3_III any_d0 i_d2 i_d3))))

; LOCAL of max_kept: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_d2 i_d3) any_d0) (largest1_T (local_d1_4_IIII rank any_d0 i_d2 i_d3))))
(assert (= (at2_TI (whole_d0_2_II i_d2 i_d3) any_d0) (largest1_T (whole_d1_3_III any_d0 i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_d2 i_d3) any_d0) (at2_TI (whole_d0_2_II i_d2 i_d3) any_d0))) (=
  (local_d0_3_III rank i_d2 i_d3) (whole_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_d1_4_IIII rank any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3 (x0_2_II
  any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII rank any_d0 i_d2 i_d3) any_d1) (at2_TI (whole_d1_3_III any_d0 i_d2
  i_d3) any_d1))) (= (local_d1_4_IIII rank any_d0 i_d2 i_d3) (whole_d1_3_III any_d0 i_d2 i_d3))))

; LOCAL of min_kept: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_d2 i_d3) any_d0) (smallest1_T (local_d1_4_IIII rank any_d0 i_d2 i_d3))))
(assert (= (at2_TI (whole_d0_2_II i_d2 i_d3) any_d0) (smallest1_T (whole_d1_3_III any_d0 i_d2 i_d3))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_d2 i_d3) any_d0) (at2_TI (whole_d0_2_II i_d2 i_d3) any_d0))) (=
  (local_d0_3_III rank i_d2 i_d3) (whole_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (local_d1_4_IIII rank any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3 (x0_2_II
  any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII rank any_d0 i_d2 i_d3) any_d1) (at2_TI (whole_d1_3_III any_d0 i_d2
  i_d3) any_d1))) (= (local_d1_4_IIII rank any_d0 i_d2 i_d3) (whole_d1_3_III any_d0 i_d2 i_d3))))

; LOCAL of softmax: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))

; LOCAL of softmax_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))

; LOCAL of cumsum: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))

; LOCAL of topk_values: the lemmas' instances.
(assert (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (at2_TI (whole_row0_3_III i_d0 i_d1
  i_d2) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_d1 i_d2) (whole_row0_3_III i_d0 i_d1 i_d2))))

; LOCAL of max_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LOCAL of max_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LOCAL of adaptive_avg_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LOCAL of adaptive_avg_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; LOCAL of transpose: the lemmas' instances.

; LOCAL of cat: the lemmas' instances.
(assert (= (at2_TI (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_4_IIII i_d0 i_d1 i_d2 i_d3) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_0_0) (at2_TI (whole_row0_4_IIII i_d0
  i_d1 i_d2 i_d3) any_0_0))) (= (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) (whole_row0_4_IIII i_d0 i_d1 i_d2
  i_d3))))
(assert (= (at2_TI (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (= (at2_TI (whole_row1_4_IIII i_d0 i_d1 i_d2 i_d3) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_1_0) (at2_TI (whole_row1_4_IIII i_d0
  i_d1 i_d2 i_d3) any_1_0))) (= (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) (whole_row1_4_IIII i_d0 i_d1 i_d2
  i_d3))))

; LOCAL of slice: the lemmas' instances.
(assert (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (at2_TI (whole_row0_3_III i_d0 i_d1
  i_d2) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_d1 i_d2) (whole_row0_3_III i_d0 i_d1 i_d2))))

; LOCAL of embedding: the lemmas' instances.
(assert (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II
  any_d2 i_d3) (x1_2_II i_d0 i_d1))))
(assert (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II any_d2
  i_d3) (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3)
  any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3))))

; LOCAL of pick: the lemmas' instances.
(assert (= (at2_TI (local_d1_2_II rank i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (x0_2_II i_d0 any_d1) (x1_1_I
  i_d0))))
(assert (= (at2_TI (whole_d1_1_I i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (x0_2_II i_d0 any_d1) (x1_1_I i_d0))))
(assert (or (not (= (at2_TI (local_d1_2_II rank i_d0) any_d1) (at2_TI (whole_d1_1_I i_d0) any_d1))) (=
  (local_d1_2_II rank i_d0) (whole_d1_1_I i_d0))))

; LOCAL of one_hot: the lemmas' instances.

; LOCAL of pick_backward: the lemmas' instances.

; LOCAL of cross_entropy_backward: the lemmas' instances.

; LOCAL of embedding_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (x0_2_II any_d0 i_d1)
  (x1_1_I any_d0))))
(assert (= (at2_TI (whole_d0_2_II i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (x0_2_II any_d0 i_d1)
  (x1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_d1 i_d2) any_d0) (at2_TI (whole_d0_2_II i_d1 i_d2) any_d0))) (=
  (local_d0_3_III rank i_d1 i_d2) (whole_d0_2_II i_d1 i_d2))))

; LOCAL of dropout: the lemmas' instances.

; LOCAL of update: the lemmas' instances.

; LOCAL of weighted_layernorm: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (x1_1_I any_1_0)))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_1_I any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))

; LOCAL of weighted_layernorm_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row2_3_III rank i_d0 i_d1) any_2_0) (x2_1_I any_2_0)))
(assert (= (at2_TI (whole_row2_2_II i_d0 i_d1) any_2_0) (x2_1_I any_2_0)))
(assert (or (not (= (at2_TI (local_row2_3_III rank i_d0 i_d1) any_2_0) (at2_TI (whole_row2_2_II i_d0 i_d1)
  any_2_0))) (= (local_row2_3_III rank i_d0 i_d1) (whole_row2_2_II i_d0 i_d1))))

; LOCAL of layernorm_weight_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation4_IITT any_d0 i_d1 (local_row0_3_III rank any_d0
  i_d1) (local_row1_3_III rank any_d0 i_d1))))
(assert (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation4_IITT any_d0 i_d1 (whole_row0_2_II any_d0 i_d1)
  (whole_row1_2_II any_d0 i_d1))))
(assert (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0))) (=
  (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1))))
(assert (= (at2_TI (local_row0_3_III rank any_d0 i_d1) any_0_0) (x0_2_II any_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II any_d0 i_d1) any_0_0) (x0_2_II any_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank any_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II any_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank any_d0 i_d1) (whole_row0_2_II any_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank any_d0 i_d1) any_1_0) (x1_2_II any_d0 any_1_0)))
(assert (= (at2_TI (whole_row1_2_II any_d0 i_d1) any_1_0) (x1_2_II any_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank any_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II any_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank any_d0 i_d1) (whole_row1_2_II any_d0 i_d1))))

; LOCAL of attention: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1
  i_d2 any_0_0)))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1) (x1_4_IIII i_d0
  i_d1 any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII i_d0 i_d1
  any_2_0 i_d5)))
(assert (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII i_d0 i_d1 any_2_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (at2_TI
  (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; LOCAL of attention_query_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1
  i_d2 any_0_0)))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1
  i_d2 any_1_0)))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 i_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0 i_d1
  any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0
  i_d1 any_3_0 any_3_1)))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0 i_d1
  any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1
  i_d2 any_4_0)))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 i_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; LOCAL of attention_key_backward: the lemmas' instances.
(assert (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIITTTTT i_d0 i_d1
  any_d2 i_d3 i_d4 (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank
  i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2
  i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIITTTTT i_d0 i_d1
  any_d2 i_d3 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1
  any_d2 any_0_0)))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 any_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1
  any_d2 any_1_0)))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 any_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII
  i_d0 i_d1 any_2_0 any_2_1)))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII
  i_d0 i_d1 any_3_0 any_3_1)))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0
  i_d1 any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1
  any_d2 any_4_0)))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 any_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; LOCAL of attention_value_backward: the lemmas' instances.
(assert (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5))))
(assert (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5))))
(assert (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1
  any_d2 any_1_0)))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 any_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII
  i_d0 i_d1 any_2_0 any_2_1)))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0 i_d1
  any_3_0 i_d5)))
(assert (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0 i_d1 any_3_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (at2_TI
  (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; LOCAL of batch_norm: the lemmas' instances.

; LOCAL of batch_norm_squares: the lemmas' instances.
(assert (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation4_IIVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_1_I
  i_d1))))
(assert (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation4_IIVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_1_I i_d1))))
(assert (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0))) (=
  (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1))))

; LOCAL of batch_norm_weight_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_2_II
  any_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1))))
(assert (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_2_II any_d0
  i_d1) (x2_1_I i_d1) (x3_1_I i_d1))))
(assert (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0))) (=
  (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1))))

; LOCAL of batch_norm_backward: the lemmas' instances.

(check-sat)
