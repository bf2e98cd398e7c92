; The owner of an index of a parallel label computes the element of the result that is there. What the proofs
; assume, all of it at once.
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
(declare-fun beyond0_3_III (Int Int Int) Value)
(declare-fun beyond0_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond0_6_IIIIII (Int Int Int Int Int Int) Value)
(declare-fun beyond1_2_II (Int Int) Value)
(declare-fun beyond1_3_III (Int Int Int) Value)
(declare-fun beyond1_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond1_6_IIIIII (Int Int Int Int Int Int) Value)
(declare-fun beyond2_2_II (Int Int) Value)
(declare-fun beyond2_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond3_2_II (Int Int) Value)
(declare-fun beyond3_5_IIIII (Int Int Int Int Int) Value)
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
(declare-fun local_d0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d0_2_II (Int Int) TensorTable)
(declare-fun local_d0_3_III (Int Int Int) TensorTable)
(declare-fun local_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d1_2_II (Int Int) TensorTable)
(declare-fun local_d1_3_III (Int Int Int) TensorTable)
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
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIVV (Int Int Int Value Value) Value)
(declare-fun operation6_IIIIVV (Int Int Int Int Value Value) Value)
(declare-fun operation6_IIVVVV (Int Int Value Value Value Value) Value)
(declare-fun operation7_IIIIITT (Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation8_IIIIIITT (Int Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun owner_d0_I (Int) Int)
(declare-fun owner_d1_I (Int) Int)
(declare-fun owner_d2_I (Int) Int)
(declare-fun owner_d3_I (Int) Int)
(declare-fun owner_d4_I (Int) Int)
(declare-fun owner_d5_I (Int) Int)
(declare-fun rank () Int)
(declare-fun whole_d0_1_I (Int) TensorTable)
(declare-fun whole_d0_2_II (Int Int) TensorTable)
(declare-fun whole_d0_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d1_1_I (Int) TensorTable)
(declare-fun whole_d1_2_II (Int Int) TensorTable)
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

; PAR d0 of einsum: the lemmas' instances.
(assert (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 any_d1) (beyond0_3_III rank i_d0 any_d1)) (x1_2_II any_d1 i_d2))))
(assert (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II any_d1 i_d2))))
(assert (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1))) (=
  (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2))))

; PAR d2 of einsum: the lemmas' instances.
(assert (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (ite (= (owner_d2_I i_d2) rank) (x1_2_II any_d1 i_d2) (beyond1_3_III rank any_d1 i_d2)))))
(assert (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II any_d1 i_d2))))
(assert (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1))) (=
  (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2))))

; PAR d0 of linear: the lemmas' instances.
(assert (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 any_d1) (beyond0_3_III rank i_d0 any_d1)) (x1_2_II i_d2 any_d1))))
(assert (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II i_d2 any_d1))))
(assert (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1))) (=
  (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2))))

; PAR d2 of linear: the lemmas' instances.
(assert (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (ite (= (owner_d2_I i_d2) rank) (x1_2_II i_d2 any_d1) (beyond1_3_III rank i_d2 any_d1)))))
(assert (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II i_d0 any_d1)
  (x1_2_II i_d2 any_d1))))
(assert (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1))) (=
  (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2))))

; PAR d0 of conv2d: the lemmas' instances.
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
  (ite (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 any_d1 any_0_0
  any_0_1))))
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

; PAR d4 of conv2d: the lemmas' instances.
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
  (ite (= (owner_d4_I i_d4) rank) (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d4 any_d1 any_1_0
  any_1_1))))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; PAR d0 of conv2d_input_backward: the lemmas' instances.
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
  (ite (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 any_d1 any_0_0
  any_0_1))))
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

; PAR d4 of conv2d_input_backward: the lemmas' instances.
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
  (ite (= (owner_d4_I i_d4) rank) (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1) (beyond1_5_IIIII rank any_d1 i_d4 any_1_0
  any_1_1))))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; PAR d1 of conv2d_weight_backward: the lemmas' instances.
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
  (ite (= (owner_d1_I i_d1) rank) (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank any_d0 i_d1 any_0_0
  any_0_1))))
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

; PAR d4 of conv2d_weight_backward: the lemmas' instances.
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
  (ite (= (owner_d4_I i_d4) rank) (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1) (beyond1_5_IIIII rank any_d0 i_d4 any_1_0
  any_1_1))))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1)
  (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_row1_9_IIIIIIIII any_d0 i_d1
  i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8))))

; PAR d0 of grouped_conv2d: the lemmas' instances.
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
  any_0_1) (ite (= (owner_d0_I i_d0) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1) (beyond0_6_IIIIII rank i_d0
  i_d1 any_d2 any_0_0 any_0_1))))
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

; PAR d1 of grouped_conv2d: the lemmas' instances.
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
  any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1) (beyond0_6_IIIIII rank i_d0
  i_d1 any_d2 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1)
  (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1) (beyond1_6_IIIIII rank i_d1
  i_d5 any_d2 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; PAR d5 of grouped_conv2d: the lemmas' instances.
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
  any_1_1) (ite (= (owner_d5_I i_d5) rank) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1) (beyond1_6_IIIIII rank i_d1
  i_d5 any_d2 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; PAR d0 of grouped_conv2d_input_backward: the lemmas' instances.
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
  any_0_1) (ite (= (owner_d0_I i_d0) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1) (beyond0_6_IIIIII rank i_d0
  i_d1 any_d2 any_0_0 any_0_1))))
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

; PAR d1 of grouped_conv2d_input_backward: the lemmas' instances.
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
  any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1) (beyond0_6_IIIIII rank i_d0
  i_d1 any_d2 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1)
  (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1) (beyond1_6_IIIIII rank i_d1
  any_d2 i_d5 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; PAR d5 of grouped_conv2d_input_backward: the lemmas' instances.
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
  any_1_1) (ite (= (owner_d5_I i_d5) rank) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1) (beyond1_6_IIIIII rank i_d1
  any_d2 i_d5 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; PAR d1 of grouped_conv2d_weight_backward: the lemmas' instances.
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
  any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1) (beyond0_6_IIIIII rank
  any_d0 i_d1 i_d2 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0 any_0_1)
  (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_0_0
  any_0_1))) (= (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))
(assert (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1) (beyond1_6_IIIIII rank
  any_d0 i_d1 i_d5 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; PAR d2 of grouped_conv2d_weight_backward: the lemmas' instances.
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
  any_0_1) (ite (= (owner_d2_I i_d2) rank) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1) (beyond0_6_IIIIII rank
  any_d0 i_d1 i_d2 any_0_0 any_0_1))))
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

; PAR d5 of grouped_conv2d_weight_backward: the lemmas' instances.
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
  any_1_1) (ite (= (owner_d5_I i_d5) rank) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1) (beyond1_6_IIIIII rank
  any_d0 i_d1 i_d5 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0 any_1_1)
  (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_1_0
  any_1_1))) (= (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9))))

; PAR d0 of add: the lemmas' instances.

; PAR d1 of add: the lemmas' instances.

; PAR d0 of sub: the lemmas' instances.

; PAR d1 of sub: the lemmas' instances.

; PAR d0 of mul: the lemmas' instances.

; PAR d1 of mul: the lemmas' instances.

; PAR d0 of div: the lemmas' instances.

; PAR d1 of div: the lemmas' instances.

; PAR d0 of neg: the lemmas' instances.

; PAR d1 of neg: the lemmas' instances.

; PAR d0 of pow: the lemmas' instances.

; PAR d1 of pow: the lemmas' instances.

; PAR d0 of maximum: the lemmas' instances.

; PAR d1 of maximum: the lemmas' instances.

; PAR d0 of minimum: the lemmas' instances.

; PAR d1 of minimum: the lemmas' instances.

; PAR d0 of sqrt: the lemmas' instances.

; PAR d1 of sqrt: the lemmas' instances.

; PAR d0 of rsqrt: the lemmas' instances.

; PAR d1 of rsqrt: the lemmas' instances.

; PAR d0 of exp: the lemmas' instances.

; PAR d1 of exp: the lemmas' instances.

; PAR d0 of silu: the lemmas' instances.

; PAR d1 of silu: the lemmas' instances.

; PAR d0 of gt: the lemmas' instances.

; PAR d1 of gt: the lemmas' instances.

; PAR d0 of lt: the lemmas' instances.

; PAR d1 of lt: the lemmas' instances.

; PAR d0 of where: the lemmas' instances.

; PAR d1 of where: the lemmas' instances.

; PAR d0 of cast: the lemmas' instances.

; PAR d1 of cast: the lemmas' instances.

; PAR d0 of softmax: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_0_0)
  (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))

; PAR d0 of softmax_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_0_0)
  (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0 any_1_0)
  (beyond1_3_III rank i_d0 any_1_0))))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))

; PAR d0 of cumsum: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_0_0)
  (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))

; PAR d0 of topk_values: the lemmas' instances.
(assert (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0
  any_0_0) (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (at2_TI (whole_row0_3_III i_d0 i_d1
  i_d2) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_d1 i_d2) (whole_row0_3_III i_d0 i_d1 i_d2))))

; PAR d0 of max_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d1 of max_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d0 of max_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (ite (= (owner_d0_I
  i_d0) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d1 of max_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (ite (= (owner_d1_I
  i_d1) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d0 of adaptive_avg_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d1 of adaptive_avg_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d0 of adaptive_avg_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d1 of adaptive_avg_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0 any_0_1))))
(assert (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII i_d0 i_d1
  any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_d0 i_d1
  i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; PAR d0 of transpose: the lemmas' instances.

; PAR d1 of transpose: the lemmas' instances.

; PAR d0 of cat: the lemmas' instances.
(assert (= (at2_TI (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II
  i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_4_IIII i_d0 i_d1 i_d2 i_d3) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_0_0) (at2_TI (whole_row0_4_IIII i_d0
  i_d1 i_d2 i_d3) any_0_0))) (= (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) (whole_row0_4_IIII i_d0 i_d1 i_d2
  i_d3))))
(assert (= (at2_TI (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_1_0) (ite (= (owner_d0_I i_d0) rank) (x1_2_II
  i_d0 any_1_0) (beyond1_3_III rank i_d0 any_1_0))))
(assert (= (at2_TI (whole_row1_4_IIII i_d0 i_d1 i_d2 i_d3) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_1_0) (at2_TI (whole_row1_4_IIII i_d0
  i_d1 i_d2 i_d3) any_1_0))) (= (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) (whole_row1_4_IIII i_d0 i_d1 i_d2
  i_d3))))

; PAR d0 of slice: the lemmas' instances.
(assert (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0
  any_0_0) (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (at2_TI (whole_row0_3_III i_d0 i_d1
  i_d2) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_d1 i_d2) (whole_row0_3_III i_d0 i_d1 i_d2))))

; PAR d0 of embedding: the lemmas' instances.
(assert (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II
  any_d2 i_d3) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)))))
(assert (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II any_d2
  i_d3) (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3)
  any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3))))

; PAR d1 of embedding: the lemmas' instances.
(assert (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II
  any_d2 i_d3) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)))))
(assert (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II any_d2
  i_d3) (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3)
  any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3))))

; PAR d3 of embedding: the lemmas' instances.
(assert (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (ite (=
  (owner_d3_I i_d3) rank) (x0_2_II any_d2 i_d3) (beyond0_3_III rank any_d2 i_d3)) (x1_2_II i_d0 i_d1))))
(assert (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3 (x0_2_II any_d2
  i_d3) (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3)
  any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3))))

; PAR d0 of pick: the lemmas' instances.
(assert (= (at2_TI (local_d1_2_II rank i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_d1) (beyond0_3_III rank i_d0 any_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_1_I i_d0)
  (beyond1_2_II rank i_d0)))))
(assert (= (at2_TI (whole_d1_1_I i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (x0_2_II i_d0 any_d1) (x1_1_I i_d0))))
(assert (or (not (= (at2_TI (local_d1_2_II rank i_d0) any_d1) (at2_TI (whole_d1_1_I i_d0) any_d1))) (=
  (local_d1_2_II rank i_d0) (whole_d1_1_I i_d0))))

; PAR d0 of one_hot: the lemmas' instances.

; PAR d1 of one_hot: the lemmas' instances.

; PAR d0 of pick_backward: the lemmas' instances.

; PAR d1 of pick_backward: the lemmas' instances.

; PAR d0 of cross_entropy_backward: the lemmas' instances.

; PAR d1 of cross_entropy_backward: the lemmas' instances.

; PAR d1 of embedding_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II any_d0 i_d1) (beyond0_3_III rank any_d0 i_d1)) (x1_1_I any_d0))))
(assert (= (at2_TI (whole_d0_2_II i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (x0_2_II any_d0 i_d1)
  (x1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_d1 i_d2) any_d0) (at2_TI (whole_d0_2_II i_d1 i_d2) any_d0))) (=
  (local_d0_3_III rank i_d1 i_d2) (whole_d0_2_II i_d1 i_d2))))

; PAR d0 of dropout: the lemmas' instances.

; PAR d1 of dropout: the lemmas' instances.

; PAR d0 of update: the lemmas' instances.

; PAR d1 of update: the lemmas' instances.

; PAR d0 of weighted_layernorm: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_0_0)
  (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (x1_1_I any_1_0)))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_1_I any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))

; PAR d0 of weighted_layernorm_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_0_0)
  (beyond0_3_III rank i_d0 any_0_0))))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0 any_1_0)
  (beyond1_3_III rank i_d0 any_1_0))))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row2_3_III rank i_d0 i_d1) any_2_0) (x2_1_I any_2_0)))
(assert (= (at2_TI (whole_row2_2_II i_d0 i_d1) any_2_0) (x2_1_I any_2_0)))
(assert (or (not (= (at2_TI (local_row2_3_III rank i_d0 i_d1) any_2_0) (at2_TI (whole_row2_2_II i_d0 i_d1)
  any_2_0))) (= (local_row2_3_III rank i_d0 i_d1) (whole_row2_2_II i_d0 i_d1))))

; PAR d0 of attention: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1) (ite (=
  (owner_d0_I i_d0) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (ite (= (owner_d0_I
  i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 i_d5) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 i_d5))))
(assert (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII i_d0 i_d1 any_2_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (at2_TI
  (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d1 of attention: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1) (ite (=
  (owner_d1_I i_d1) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1 any_1_0 any_1_1))))
(assert (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1) (x1_4_IIII i_d0 i_d1
  any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (ite (= (owner_d1_I
  i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 i_d5) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 i_d5))))
(assert (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII i_d0 i_d1 any_2_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (at2_TI
  (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d2 of attention: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d2_I
  i_d2) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0))))
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

; PAR d5 of attention: the lemmas' instances.
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
(assert (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (ite (= (owner_d5_I
  i_d5) rank) (x2_4_IIII i_d0 i_d1 any_2_0 i_d5) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 i_d5))))
(assert (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII i_d0 i_d1 any_2_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (at2_TI
  (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d0 of attention_query_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d0_I
  i_d0) rank) (x1_4_IIII i_d0 i_d1 i_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 i_d2 any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 i_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (ite (=
  (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 any_2_1))))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0 i_d1
  any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (ite (=
  (owner_d0_I i_d0) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 any_3_1))))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0 i_d1
  any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (= (owner_d0_I
  i_d0) rank) (x4_4_IIII i_d0 i_d1 i_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 i_d2 any_4_0))))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 i_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d1 of attention_query_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d1_I
  i_d1) rank) (x1_4_IIII i_d0 i_d1 i_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 i_d2 any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 i_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (ite (=
  (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 any_2_1))))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0 i_d1
  any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (ite (=
  (owner_d1_I i_d1) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 any_3_1))))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0 i_d1
  any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (= (owner_d1_I
  i_d1) rank) (x4_4_IIII i_d0 i_d1 i_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 i_d2 any_4_0))))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 i_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d2 of attention_query_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d2_I
  i_d2) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 i_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d2_I
  i_d2) rank) (x1_4_IIII i_d0 i_d1 i_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 i_d2 any_1_0))))
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
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (= (owner_d2_I
  i_d2) rank) (x4_4_IIII i_d0 i_d1 i_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 i_d2 any_4_0))))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 i_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d0 of attention_key_backward: the lemmas' instances.
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
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d0_I
  i_d0) rank) (x0_4_IIII i_d0 i_d1 any_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 any_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 any_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d0_I
  i_d0) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2 any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 any_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (ite (=
  (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 any_2_1))))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (ite (=
  (owner_d0_I i_d0) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 any_3_1))))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0
  i_d1 any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (= (owner_d0_I
  i_d0) rank) (x4_4_IIII i_d0 i_d1 any_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 any_d2 any_4_0))))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 any_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d1 of attention_key_backward: the lemmas' instances.
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
(assert (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (= (owner_d1_I
  i_d1) rank) (x0_4_IIII i_d0 i_d1 any_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 any_d2 any_0_0))))
(assert (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII i_d0 i_d1 any_d2
  any_0_0)))
(assert (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (at2_TI
  (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d1_I
  i_d1) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2 any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 any_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (ite (=
  (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 any_2_1))))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (ite (=
  (owner_d1_I i_d1) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 any_3_1))))
(assert (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1) (x3_4_IIII i_d0
  i_d1 any_3_0 any_3_1)))
(assert (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (= (owner_d1_I
  i_d1) rank) (x4_4_IIII i_d0 i_d1 any_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 any_d2 any_4_0))))
(assert (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII i_d0 i_d1 any_d2
  any_4_0)))
(assert (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (at2_TI
  (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d0 of attention_value_backward: the lemmas' instances.
(assert (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (ite (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond0_5_IIIII rank i_d0 i_d1
  any_d2 i_d5)) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (ite (=
  (owner_d0_I i_d0) rank) (x4_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond4_5_IIIII rank i_d0 i_d1 any_d2 i_d5)))))
(assert (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5))))
(assert (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d0_I
  i_d0) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2 any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 any_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (ite (=
  (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 any_2_1))))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (ite (= (owner_d0_I
  i_d0) rank) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 i_d5))))
(assert (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0 i_d1 any_3_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (at2_TI
  (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d1 of attention_value_backward: the lemmas' instances.
(assert (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (ite (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond0_5_IIIII rank i_d0 i_d1
  any_d2 i_d5)) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (ite (=
  (owner_d1_I i_d1) rank) (x4_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond4_5_IIIII rank i_d0 i_d1 any_d2 i_d5)))))
(assert (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5))))
(assert (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (= (owner_d1_I
  i_d1) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2 any_1_0))))
(assert (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII i_d0 i_d1 any_d2
  any_1_0)))
(assert (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (at2_TI
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (ite (=
  (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 any_2_1))))
(assert (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1) (x2_4_IIII i_d0
  i_d1 any_2_0 any_2_1)))
(assert (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))
(assert (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (ite (= (owner_d1_I
  i_d1) rank) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 i_d5))))
(assert (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0 i_d1 any_3_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (at2_TI
  (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d5 of attention_value_backward: the lemmas' instances.
(assert (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (operation10_IIIIIVTTTV i_d0 i_d1
  any_d2 i_d3 i_d5 (ite (= (owner_d5_I i_d5) rank) (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond0_5_IIIII rank i_d0 i_d1
  any_d2 i_d5)) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (ite (=
  (owner_d5_I i_d5) rank) (x4_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond4_5_IIIII rank i_d0 i_d1 any_d2 i_d5)))))
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
(assert (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (ite (= (owner_d5_I
  i_d5) rank) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 i_d5))))
(assert (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII i_d0 i_d1 any_3_0
  i_d5)))
(assert (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (at2_TI
  (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6))))

; PAR d0 of batch_norm: the lemmas' instances.

; PAR d1 of batch_norm: the lemmas' instances.

; PAR d1 of batch_norm_squares: the lemmas' instances.
(assert (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation4_IIVV any_d0 i_d1 (ite (= (owner_d1_I i_d1) rank)
  (x0_2_II any_d0 i_d1) (beyond0_3_III rank any_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_1_I i_d1)
  (beyond1_2_II rank i_d1)))))
(assert (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation4_IIVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_1_I i_d1))))
(assert (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0))) (=
  (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1))))

; PAR d1 of batch_norm_weight_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (ite (= (owner_d1_I i_d1) rank)
  (x0_2_II any_d0 i_d1) (beyond0_3_III rank any_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II any_d0 i_d1)
  (beyond1_3_III rank any_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x2_1_I i_d1) (beyond2_2_II rank i_d1)) (ite (=
  (owner_d1_I i_d1) rank) (x3_1_I i_d1) (beyond3_2_II rank i_d1)))))
(assert (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1) (x1_2_II any_d0
  i_d1) (x2_1_I i_d1) (x3_1_I i_d1))))
(assert (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0))) (=
  (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1))))

; PAR d0 of batch_norm_backward: the lemmas' instances.

; PAR d1 of batch_norm_backward: the lemmas' instances.

(check-sat)
