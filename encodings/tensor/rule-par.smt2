; The owner of an index of a parallel label computes the element of the result that is there. Tensors of any size,
; cut in any way, on any number of ranks; a case per claim.
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
(declare-fun any_d2 () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun at3_TII (TensorTable Int Int) Value)
(declare-fun beyond0_2_II (Int Int) Value)
(declare-fun beyond0_3_III (Int Int Int) Value)
(declare-fun beyond0_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond0_6_IIIIII (Int Int Int Int Int Int) Value)
(declare-fun beyond1_2_II (Int Int) Value)
(declare-fun beyond1_3_III (Int Int Int) Value)
(declare-fun beyond1_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond1_6_IIIIII (Int Int Int Int Int Int) Value)
(declare-fun beyond2_2_II (Int Int) Value)
(declare-fun beyond2_3_III (Int Int Int) Value)
(declare-fun beyond2_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond3_2_II (Int Int) Value)
(declare-fun beyond3_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond4_2_II (Int Int) Value)
(declare-fun beyond4_5_IIIII (Int Int Int Int Int) Value)
(declare-fun beyond5_2_II (Int Int) Value)
(declare-fun beyond6_2_II (Int Int) Value)
(declare-fun case0 () Bool)
(declare-fun case1 () Bool)
(declare-fun case10 () Bool)
(declare-fun case100 () Bool)
(declare-fun case101 () Bool)
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
(declare-fun case47 () Bool)
(declare-fun case48 () Bool)
(declare-fun case49 () Bool)
(declare-fun case5 () Bool)
(declare-fun case50 () Bool)
(declare-fun case51 () Bool)
(declare-fun case52 () Bool)
(declare-fun case53 () Bool)
(declare-fun case54 () Bool)
(declare-fun case55 () Bool)
(declare-fun case56 () Bool)
(declare-fun case57 () Bool)
(declare-fun case58 () Bool)
(declare-fun case59 () Bool)
(declare-fun case6 () Bool)
(declare-fun case60 () Bool)
(declare-fun case61 () Bool)
(declare-fun case62 () Bool)
(declare-fun case63 () Bool)
(declare-fun case64 () Bool)
(declare-fun case65 () Bool)
(declare-fun case66 () Bool)
(declare-fun case67 () Bool)
(declare-fun case68 () Bool)
(declare-fun case69 () Bool)
(declare-fun case7 () Bool)
(declare-fun case70 () Bool)
(declare-fun case71 () Bool)
(declare-fun case72 () Bool)
(declare-fun case73 () Bool)
(declare-fun case74 () Bool)
(declare-fun case75 () Bool)
(declare-fun case76 () Bool)
(declare-fun case77 () Bool)
(declare-fun case78 () Bool)
(declare-fun case79 () Bool)
(declare-fun case8 () Bool)
(declare-fun case80 () Bool)
(declare-fun case81 () Bool)
(declare-fun case82 () Bool)
(declare-fun case83 () Bool)
(declare-fun case84 () Bool)
(declare-fun case85 () Bool)
(declare-fun case86 () Bool)
(declare-fun case87 () Bool)
(declare-fun case88 () Bool)
(declare-fun case89 () Bool)
(declare-fun case9 () Bool)
(declare-fun case90 () Bool)
(declare-fun case91 () Bool)
(declare-fun case92 () Bool)
(declare-fun case93 () Bool)
(declare-fun case94 () Bool)
(declare-fun case95 () Bool)
(declare-fun case96 () Bool)
(declare-fun case97 () Bool)
(declare-fun case98 () Bool)
(declare-fun case99 () Bool)
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
(declare-fun operation3_IIT (Int Int TensorTable) Value)
(declare-fun operation3_IIV (Int Int Value) Value)
(declare-fun operation4_IIIV (Int Int Int Value) Value)
(declare-fun operation4_IITT (Int Int TensorTable TensorTable) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIIT (Int Int Int Int TensorTable) Value)
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
(declare-fun owner_d0_I (Int) Int)
(declare-fun owner_d1_I (Int) Int)
(declare-fun owner_d2_I (Int) Int)
(declare-fun owner_d3_I (Int) Int)
(declare-fun owner_d4_I (Int) Int)
(declare-fun owner_d5_I (Int) Int)
(declare-fun rank () Int)
(declare-fun sum1_T (TensorTable) Value)
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
(declare-fun x0_1_I (Int) Value)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x0_4_IIII (Int Int Int Int) Value)
(declare-fun x0_5_IIIII (Int Int Int Int Int) Value)
(declare-fun x1_1_I (Int) Value)
(declare-fun x1_2_II (Int Int) Value)
(declare-fun x1_4_IIII (Int Int Int Int) Value)
(declare-fun x1_5_IIIII (Int Int Int Int Int) Value)
(declare-fun x2_1_I (Int) Value)
(declare-fun x2_2_II (Int Int) Value)
(declare-fun x2_4_IIII (Int Int Int Int) Value)
(declare-fun x3_1_I (Int) Value)
(declare-fun x3_4_IIII (Int Int Int Int) Value)
(declare-fun x4_1_I (Int) Value)
(declare-fun x4_4_IIII (Int Int Int Int) Value)
(declare-fun x5_1_I (Int) Value)
(declare-fun x6_1_I (Int) Value)

; PAR d0 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (ite
  (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_d1) (beyond0_3_III rank i_d0 any_d1)) (x1_2_II any_d1 i_d2)))))
(assert (or (not case0) (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II
  i_d0 any_d1) (x1_2_II any_d1 i_d2)))))
(assert (or (not case0) (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0
  i_d2) any_d1))) (= (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2)))))
(assert (or (not case0) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d1_3_III rank i_d0 i_d2))
  (sum1_T (whole_d1_2_II i_d0 i_d2)))))))

; PAR d2 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2
  (x0_2_II i_d0 any_d1) (ite (= (owner_d2_I i_d2) rank) (x1_2_II any_d1 i_d2) (beyond1_3_III rank any_d1 i_d2))))))
(assert (or (not case1) (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II
  i_d0 any_d1) (x1_2_II any_d1 i_d2)))))
(assert (or (not case1) (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0
  i_d2) any_d1))) (= (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2)))))
(assert (or (not case1) (not (or (not (= (owner_d2_I i_d2) rank)) (= (sum1_T (local_d1_3_III rank i_d0 i_d2))
  (sum1_T (whole_d1_2_II i_d0 i_d2)))))))

; PAR d0 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (ite
  (= (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_d1) (beyond0_3_III rank i_d0 any_d1)) (x1_2_II i_d2 any_d1)))))
(assert (or (not case2) (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II
  i_d0 any_d1) (x1_2_II i_d2 any_d1)))))
(assert (or (not case2) (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0
  i_d2) any_d1))) (= (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2)))))
(assert (or (not case2) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d1_3_III rank i_d0 i_d2))
  (sum1_T (whole_d1_2_II i_d0 i_d2)))))))

; PAR d2 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2
  (x0_2_II i_d0 any_d1) (ite (= (owner_d2_I i_d2) rank) (x1_2_II i_d2 any_d1) (beyond1_3_III rank i_d2 any_d1))))))
(assert (or (not case3) (= (at2_TI (whole_d1_2_II i_d0 i_d2) any_d1) (operation5_IIIVV i_d0 any_d1 i_d2 (x0_2_II
  i_d0 any_d1) (x1_2_II i_d2 any_d1)))))
(assert (or (not case3) (or (not (= (at2_TI (local_d1_3_III rank i_d0 i_d2) any_d1) (at2_TI (whole_d1_2_II i_d0
  i_d2) any_d1))) (= (local_d1_3_III rank i_d0 i_d2) (whole_d1_2_II i_d0 i_d2)))))
(assert (or (not case3) (not (or (not (= (owner_d2_I i_d2) rank)) (= (sum1_T (local_d1_3_III rank i_d0 i_d2))
  (sum1_T (whole_d1_2_II i_d0 i_d2)))))))

; PAR d0 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (or (not (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (local_d1_9_IIIIIIIII
  rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (ite (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank
  i_d0 any_d1 any_0_0 any_0_1)))))
(assert (or (not case4) (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1))))
(assert (or (not case4) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1))))
(assert (or (not case4) (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1))))
(assert (or (not case4) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case4) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d1_9_IIIIIIIII rank i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))))

; PAR d4 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (= (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (or (not (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (local_d1_9_IIIIIIIII
  rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1))))
(assert (or (not case5) (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1))))
(assert (or (not case5) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (ite (= (owner_d4_I i_d4) rank) (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank
  i_d4 any_d1 any_1_0 any_1_1)))))
(assert (or (not case5) (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (x1_4_IIII i_d4 any_d1 any_1_0 any_1_1))))
(assert (or (not case5) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case5) (not (or (not (= (owner_d4_I i_d4) rank)) (= (sum1_T (local_d1_9_IIIIIIIII rank i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))))

; PAR d0 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case6) (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (= (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (or (not (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (local_d1_9_IIIIIIIII
  rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (ite (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank
  i_d0 any_d1 any_0_0 any_0_1)))))
(assert (or (not case6) (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1))))
(assert (or (not case6) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1))))
(assert (or (not case6) (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1))))
(assert (or (not case6) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case6) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d1_9_IIIIIIIII rank i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))))

; PAR d4 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case7) (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (= (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1)
  (operation7_IIIIITT i_d0 any_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (or (not (= (at2_TI (local_d1_9_IIIIIIIII rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d1) (at2_TI (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d1))) (= (local_d1_9_IIIIIIIII
  rank i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1))))
(assert (or (not case7) (= (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (x0_4_IIII i_d0 any_d1 any_0_0 any_0_1))))
(assert (or (not case7) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (ite (= (owner_d4_I i_d4) rank) (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1) (beyond1_5_IIIII rank
  any_d1 i_d4 any_1_0 any_1_1)))))
(assert (or (not case7) (= (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (x1_4_IIII any_d1 i_d4 any_1_0 any_1_1))))
(assert (or (not case7) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII rank i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII i_d0 any_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case7) (not (or (not (= (owner_d4_I i_d4) rank)) (= (sum1_T (local_d1_9_IIIIIIIII rank i_d0 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d1_8_IIIIIIII i_d0 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))))

; PAR d1 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case8) (= (at2_TI (local_d0_9_IIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0)
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (= (at2_TI (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0)
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (or (not (= (at2_TI (local_d0_9_IIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d0) (at2_TI (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (= (local_d0_9_IIIIIIIII
  rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (= (at3_TII (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank
  any_d0 i_d1 any_0_0 any_0_1)))))
(assert (or (not case8) (= (at3_TII (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case8) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1))))
(assert (or (not case8) (= (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1))))
(assert (or (not case8) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case8) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d0_9_IIIIIIIII rank i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))))

; PAR d4 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case9) (= (at2_TI (local_d0_9_IIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0)
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (= (at2_TI (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0)
  (operation7_IIIIITT any_d0 i_d1 i_d4 i_d7 i_d8 (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7
  i_d8) (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (or (not (= (at2_TI (local_d0_9_IIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_d0) (at2_TI (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_d0))) (= (local_d0_9_IIIIIIIII
  rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (= (at3_TII (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1) (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case9) (= (at3_TII (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_0_0
  any_0_1) (x0_4_IIII any_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case9) (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_0_0 any_0_1) (at3_TII (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_0_0 any_0_1))) (= (local_row0_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row0_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1) (ite (= (owner_d4_I i_d4) rank) (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1) (beyond1_5_IIIII rank
  any_d0 i_d4 any_1_0 any_1_1)))))
(assert (or (not case9) (= (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8) any_1_0
  any_1_1) (x1_4_IIII any_d0 i_d4 any_1_0 any_1_1))))
(assert (or (not case9) (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8) any_1_0 any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  any_1_0 any_1_1))) (= (local_row1_10_IIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)
  (whole_row1_9_IIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))
(assert (or (not case9) (not (or (not (= (owner_d4_I i_d4) rank)) (= (sum1_T (local_d0_9_IIIIIIIII rank i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)) (sum1_T (whole_d0_8_IIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8)))))))

; PAR d0 of grouped_conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case10) (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case10) (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d2) (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (ite (= (owner_d0_I i_d0) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII rank i_d0 i_d1 any_d2 any_0_0 any_0_1)))))
(assert (or (not case10) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case10) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1))))
(assert (or (not case10) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1))))
(assert (or (not case10) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case10) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d2_10_IIIIIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d1 of grouped_conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case11) (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case11) (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d2) (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII rank i_d0 i_d1 any_d2 any_0_0 any_0_1)))))
(assert (or (not case11) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case11) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1)
  (beyond1_6_IIIIII rank i_d1 i_d5 any_d2 any_1_0 any_1_1)))))
(assert (or (not case11) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1))))
(assert (or (not case11) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case11) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d2_10_IIIIIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d5 of grouped_conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case12) (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case12) (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d2) (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case12) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case12) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (ite (= (owner_d5_I i_d5) rank) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1)
  (beyond1_6_IIIIII rank i_d1 i_d5 any_d2 any_1_0 any_1_1)))))
(assert (or (not case12) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII i_d1 i_d5 any_d2 any_1_0 any_1_1))))
(assert (or (not case12) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case12) (not (or (not (= (owner_d5_I i_d5) rank)) (= (sum1_T (local_d2_10_IIIIIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d0 of grouped_conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case13) (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case13) (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d2) (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (ite (= (owner_d0_I i_d0) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII rank i_d0 i_d1 any_d2 any_0_0 any_0_1)))))
(assert (or (not case13) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case13) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1))))
(assert (or (not case13) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1))))
(assert (or (not case13) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case13) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d2_10_IIIIIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d1 of grouped_conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case14) (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case14) (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d2) (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII rank i_d0 i_d1 any_d2 any_0_0 any_0_1)))))
(assert (or (not case14) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case14) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1)
  (beyond1_6_IIIIII rank i_d1 any_d2 i_d5 any_1_0 any_1_1)))))
(assert (or (not case14) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1))))
(assert (or (not case14) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case14) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d2_10_IIIIIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d5 of grouped_conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case15) (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d2) (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case15) (= (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2)
  (operation8_IIIIIITT i_d0 i_d1 any_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (or (not (= (at2_TI (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d2) (at2_TI (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d2))) (=
  (local_d2_10_IIIIIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case15) (= (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII i_d0 i_d1 any_d2 any_0_0 any_0_1))))
(assert (or (not case15) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (ite (= (owner_d5_I i_d5) rank) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1)
  (beyond1_6_IIIIII rank i_d1 any_d2 i_d5 any_1_0 any_1_1)))))
(assert (or (not case15) (= (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII i_d1 any_d2 i_d5 any_1_0 any_1_1))))
(assert (or (not case15) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case15) (not (or (not (= (owner_d5_I i_d5) rank)) (= (sum1_T (local_d2_10_IIIIIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d2_9_IIIIIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d1 of grouped_conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case16) (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d0) (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case16) (= (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case16) (or (not (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d0) (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (=
  (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case16) (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (ite (= (owner_d1_I i_d1) rank) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII rank any_d0 i_d1 i_d2 any_0_0 any_0_1)))))
(assert (or (not case16) (= (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1))))
(assert (or (not case16) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case16) (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1)
  (beyond1_6_IIIIII rank any_d0 i_d1 i_d5 any_1_0 any_1_1)))))
(assert (or (not case16) (= (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1))))
(assert (or (not case16) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case16) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d0_10_IIIIIIIIII rank i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d2 of grouped_conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case17) (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d0) (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case17) (= (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case17) (or (not (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d0) (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (=
  (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case17) (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (ite (= (owner_d2_I i_d2) rank) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1)
  (beyond0_6_IIIIII rank any_d0 i_d1 i_d2 any_0_0 any_0_1)))))
(assert (or (not case17) (= (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1))))
(assert (or (not case17) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case17) (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1))))
(assert (or (not case17) (= (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1))))
(assert (or (not case17) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case17) (not (or (not (= (owner_d2_I i_d2) rank)) (= (sum1_T (local_d0_10_IIIIIIIIII rank i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d5 of grouped_conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case18) (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_d0) (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))
(assert (or (not case18) (= (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0)
  (operation8_IIIIIITT any_d0 i_d1 i_d2 i_d5 i_d8 i_d9 (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6 i_d7 i_d8 i_d9) (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case18) (or (not (= (at2_TI (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_d0) (at2_TI (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) any_d0))) (=
  (local_d0_10_IIIIIIIIII rank i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9) (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case18) (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1))))
(assert (or (not case18) (= (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_0_0 any_0_1) (x0_5_IIIII any_d0 i_d1 i_d2 any_0_0 any_0_1))))
(assert (or (not case18) (or (not (= (at3_TII (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_0_0 any_0_1) (at3_TII (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_0_0 any_0_1))) (= (local_row0_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row0_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case18) (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1) (ite (= (owner_d5_I i_d5) rank) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1)
  (beyond1_6_IIIIII rank any_d0 i_d1 i_d5 any_1_0 any_1_1)))))
(assert (or (not case18) (= (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  any_1_0 any_1_1) (x1_5_IIIII any_d0 i_d1 i_d5 any_1_0 any_1_1))))
(assert (or (not case18) (or (not (= (at3_TII (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6
  i_d7 i_d8 i_d9) any_1_0 any_1_1) (at3_TII (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9) any_1_0 any_1_1))) (= (local_row1_11_IIIIIIIIIII rank any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)
  (whole_row1_10_IIIIIIIIII any_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)))))
(assert (or (not case18) (not (or (not (= (owner_d5_I i_d5) rank)) (= (sum1_T (local_d0_10_IIIIIIIIII rank i_d1 i_d2
  i_d3 i_d4 i_d5 i_d6 i_d7 i_d8 i_d9)) (sum1_T (whole_d0_9_IIIIIIIII i_d1 i_d2 i_d3 i_d4 i_d5 i_d6 i_d7 i_d8
  i_d9)))))))

; PAR d0 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case19) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case20) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case21) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case22) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of mul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case23) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of mul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case24) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of div: the lemmas' instances, and that the claim does not hold.
(assert (or (not case25) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of div: the lemmas' instances, and that the claim does not hold.
(assert (or (not case26) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of neg: the lemmas' instances, and that the claim does not hold.
(assert (or (not case27) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of neg: the lemmas' instances, and that the claim does not hold.
(assert (or (not case28) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of pow: the lemmas' instances, and that the claim does not hold.
(assert (or (not case29) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of pow: the lemmas' instances, and that the claim does not hold.
(assert (or (not case30) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case31) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case32) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case33) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case34) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of sqrt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case35) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of sqrt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case36) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of rsqrt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case37) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of rsqrt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case38) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of exp: the lemmas' instances, and that the claim does not hold.
(assert (or (not case39) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of exp: the lemmas' instances, and that the claim does not hold.
(assert (or (not case40) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of silu: the lemmas' instances, and that the claim does not hold.
(assert (or (not case41) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of silu: the lemmas' instances, and that the claim does not hold.
(assert (or (not case42) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of gt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case43) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of gt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case44) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of lt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case45) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of lt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case46) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case47) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIVVV i_d0 i_d1 (ite (=
  (owner_d0_I i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank)
  (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x2_2_II i_d0 i_d1)
  (beyond2_3_III rank i_d0 i_d1))) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1) (x2_2_II i_d0
  i_d1)))))))

; PAR d1 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case48) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIVVV i_d0 i_d1 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank)
  (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x2_2_II i_d0 i_d1)
  (beyond2_3_III rank i_d0 i_d1))) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1) (x2_2_II i_d0
  i_d1)))))))

; PAR d0 of cast: the lemmas' instances, and that the claim does not hold.
(assert (or (not case49) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of cast: the lemmas' instances, and that the claim does not hold.
(assert (or (not case50) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of softmax: the lemmas' instances, and that the claim does not hold.
(assert (or (not case51) (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case51) (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case51) (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II
  i_d0 i_d1) any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1)))))
(assert (or (not case51) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIT i_d0 i_d1 (local_row0_3_III
  rank i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (whole_row0_2_II i_d0 i_d1)))))))

; PAR d0 of softmax_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case52) (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case52) (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case52) (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II
  i_d0 i_d1) any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1)))))
(assert (or (not case52) (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (ite (= (owner_d0_I i_d0) rank)
  (x1_2_II i_d0 any_1_0) (beyond1_3_III rank i_d0 any_1_0)))))
(assert (or (not case52) (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0))))
(assert (or (not case52) (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II
  i_d0 i_d1) any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1)))))
(assert (or (not case52) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IITT i_d0 i_d1 (local_row0_3_III
  rank i_d0 i_d1) (local_row1_3_III rank i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (whole_row0_2_II i_d0 i_d1)
  (whole_row1_2_II i_d0 i_d1)))))))

; PAR d0 of cumsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case53) (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case53) (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case53) (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II
  i_d0 i_d1) any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1)))))
(assert (or (not case53) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIT i_d0 i_d1 (local_row0_3_III
  rank i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (whole_row0_2_II i_d0 i_d1)))))))

; PAR d0 of topk_values: the lemmas' instances, and that the claim does not hold.
(assert (or (not case54) (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case54) (= (at2_TI (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case54) (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (at2_TI
  (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_d1 i_d2) (whole_row0_3_III i_d0
  i_d1 i_d2)))))
(assert (or (not case54) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIT i_d0 i_d2 (local_row0_4_IIII
  rank i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2 (whole_row0_3_III i_d0 i_d1 i_d2)))))))

; PAR d0 of max_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case55) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case55) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case55) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case55) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d1 of max_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case56) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case56) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case56) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case56) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d0 of max_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case57) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case57) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case57) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case57) (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (ite
  (= (owner_d0_I i_d0) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1 any_1_0
  any_1_1)))))
(assert (or (not case57) (= (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (x1_4_IIII
  i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case57) (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0
  any_1_1) (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case57) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation6_IIIITT i_d0 i_d1 i_d2 i_d3
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5)) (operation6_IIIITT i_d0 i_d1 i_d2 i_d3 (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)
  (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d1 of max_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case58) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case58) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case58) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case58) (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (ite
  (= (owner_d1_I i_d1) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1 any_1_0
  any_1_1)))))
(assert (or (not case58) (= (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1) (x1_4_IIII
  i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case58) (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0
  any_1_1) (at3_TII (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case58) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation6_IIIITT i_d0 i_d1 i_d2 i_d3
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (local_row1_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5)) (operation6_IIIITT i_d0 i_d1 i_d2 i_d3 (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)
  (whole_row1_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d0 of adaptive_avg_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case59) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case59) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case59) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case59) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d1 of adaptive_avg_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case60) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case60) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case60) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case60) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d0 of adaptive_avg_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case61) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case61) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case61) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case61) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIIIT i_d0 i_d1 i_d2 i_d3
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d2 i_d3
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d1 of adaptive_avg_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case62) (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (ite
  (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_0_0 any_0_1) (beyond0_5_IIIII rank i_d0 i_d1 any_0_0
  any_0_1)))))
(assert (or (not case62) (= (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1) (x0_4_IIII
  i_d0 i_d1 any_0_0 any_0_1))))
(assert (or (not case62) (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0
  any_0_1) (at3_TII (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5) (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case62) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIIIT i_d0 i_d1 i_d2 i_d3
  (local_row0_7_IIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d2 i_d3
  (whole_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))))

; PAR d0 of transpose: the lemmas' instances, and that the claim does not hold.
(assert (or (not case63) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of transpose: the lemmas' instances, and that the claim does not hold.
(assert (or (not case64) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of cat: the lemmas' instances, and that the claim does not hold.
(assert (or (not case65) (= (at2_TI (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_0_0) (ite (= (owner_d0_I i_d0)
  rank) (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case65) (= (at2_TI (whole_row0_4_IIII i_d0 i_d1 i_d2 i_d3) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case65) (or (not (= (at2_TI (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_0_0) (at2_TI
  (whole_row0_4_IIII i_d0 i_d1 i_d2 i_d3) any_0_0))) (= (local_row0_5_IIIII rank i_d0 i_d1 i_d2 i_d3)
  (whole_row0_4_IIII i_d0 i_d1 i_d2 i_d3)))))
(assert (or (not case65) (= (at2_TI (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_1_0) (ite (= (owner_d0_I i_d0)
  rank) (x1_2_II i_d0 any_1_0) (beyond1_3_III rank i_d0 any_1_0)))))
(assert (or (not case65) (= (at2_TI (whole_row1_4_IIII i_d0 i_d1 i_d2 i_d3) any_1_0) (x1_2_II i_d0 any_1_0))))
(assert (or (not case65) (or (not (= (at2_TI (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3) any_1_0) (at2_TI
  (whole_row1_4_IIII i_d0 i_d1 i_d2 i_d3) any_1_0))) (= (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3)
  (whole_row1_4_IIII i_d0 i_d1 i_d2 i_d3)))))
(assert (or (not case65) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IITT i_d0 i_d3 (local_row0_5_IIIII
  rank i_d0 i_d1 i_d2 i_d3) (local_row1_5_IIIII rank i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (whole_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (whole_row1_4_IIII i_d0 i_d1 i_d2 i_d3)))))))

; PAR d0 of slice: the lemmas' instances, and that the claim does not hold.
(assert (or (not case66) (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case66) (= (at2_TI (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case66) (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_d1 i_d2) any_0_0) (at2_TI
  (whole_row0_3_III i_d0 i_d1 i_d2) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_d1 i_d2) (whole_row0_3_III i_d0
  i_d1 i_d2)))))
(assert (or (not case66) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIT i_d0 i_d2 (local_row0_4_IIII
  rank i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2 (whole_row0_3_III i_d0 i_d1 i_d2)))))))

; PAR d0 of embedding: the lemmas' instances, and that the claim does not hold.
(assert (or (not case67) (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1
  any_d2 i_d3 (x0_2_II any_d2 i_d3) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0
  i_d1))))))
(assert (or (not case67) (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3
  (x0_2_II any_d2 i_d3) (x1_2_II i_d0 i_d1)))))
(assert (or (not case67) (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III
  i_d0 i_d1 i_d3) any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case67) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d2_4_IIII rank i_d0 i_d1 i_d3))
  (sum1_T (whole_d2_3_III i_d0 i_d1 i_d3)))))))

; PAR d1 of embedding: the lemmas' instances, and that the claim does not hold.
(assert (or (not case68) (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1
  any_d2 i_d3 (x0_2_II any_d2 i_d3) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0
  i_d1))))))
(assert (or (not case68) (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3
  (x0_2_II any_d2 i_d3) (x1_2_II i_d0 i_d1)))))
(assert (or (not case68) (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III
  i_d0 i_d1 i_d3) any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case68) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d2_4_IIII rank i_d0 i_d1 i_d3))
  (sum1_T (whole_d2_3_III i_d0 i_d1 i_d3)))))))

; PAR d3 of embedding: the lemmas' instances, and that the claim does not hold.
(assert (or (not case69) (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1
  any_d2 i_d3 (ite (= (owner_d3_I i_d3) rank) (x0_2_II any_d2 i_d3) (beyond0_3_III rank any_d2 i_d3)) (x1_2_II i_d0
  i_d1)))))
(assert (or (not case69) (= (at2_TI (whole_d2_3_III i_d0 i_d1 i_d3) any_d2) (operation6_IIIIVV i_d0 i_d1 any_d2 i_d3
  (x0_2_II any_d2 i_d3) (x1_2_II i_d0 i_d1)))))
(assert (or (not case69) (or (not (= (at2_TI (local_d2_4_IIII rank i_d0 i_d1 i_d3) any_d2) (at2_TI (whole_d2_3_III
  i_d0 i_d1 i_d3) any_d2))) (= (local_d2_4_IIII rank i_d0 i_d1 i_d3) (whole_d2_3_III i_d0 i_d1 i_d3)))))
(assert (or (not case69) (not (or (not (= (owner_d3_I i_d3) rank)) (= (sum1_T (local_d2_4_IIII rank i_d0 i_d1 i_d3))
  (sum1_T (whole_d2_3_III i_d0 i_d1 i_d3)))))))

; PAR d0 of pick: the lemmas' instances, and that the claim does not hold.
(assert (or (not case70) (= (at2_TI (local_d1_2_II rank i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (ite (=
  (owner_d0_I i_d0) rank) (x0_2_II i_d0 any_d1) (beyond0_3_III rank i_d0 any_d1)) (ite (= (owner_d0_I i_d0) rank)
  (x1_1_I i_d0) (beyond1_2_II rank i_d0))))))
(assert (or (not case70) (= (at2_TI (whole_d1_1_I i_d0) any_d1) (operation4_IIVV i_d0 any_d1 (x0_2_II i_d0 any_d1)
  (x1_1_I i_d0)))))
(assert (or (not case70) (or (not (= (at2_TI (local_d1_2_II rank i_d0) any_d1) (at2_TI (whole_d1_1_I i_d0) any_d1)))
  (= (local_d1_2_II rank i_d0) (whole_d1_1_I i_d0)))))
(assert (or (not case70) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d1_2_II rank i_d0)) (sum1_T
  (whole_d1_1_I i_d0)))))))

; PAR d0 of one_hot: the lemmas' instances, and that the claim does not hold.
(assert (or (not case71) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIIV i_d0 i_d1 i_d2 (ite (=
  (owner_d0_I i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation4_IIIV i_d0 i_d1 i_d2
  (x0_2_II i_d0 i_d1)))))))

; PAR d1 of one_hot: the lemmas' instances, and that the claim does not hold.
(assert (or (not case72) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIIV i_d0 i_d1 i_d2 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation4_IIIV i_d0 i_d1 i_d2
  (x0_2_II i_d0 i_d1)))))))

; PAR d0 of pick_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case73) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIIVV i_d0 i_d1 i_d2 (ite (=
  (owner_d0_I i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank)
  (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation5_IIIVV i_d0 i_d1 i_d2 (x0_2_II i_d0 i_d1) (x1_2_II
  i_d0 i_d1)))))))

; PAR d1 of pick_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case74) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIIVV i_d0 i_d1 i_d2 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank)
  (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation5_IIIVV i_d0 i_d1 i_d2 (x0_2_II i_d0 i_d1) (x1_2_II
  i_d0 i_d1)))))))

; PAR d0 of cross_entropy_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case75) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIVVV i_d0 i_d1 (ite (=
  (owner_d0_I i_d0) rank) (x0_1_I i_d0) (beyond0_2_II rank i_d0)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x2_1_I i_d0) (beyond2_2_II rank i_d0)))
  (operation5_IIVVV i_d0 i_d1 (x0_1_I i_d0) (x1_2_II i_d0 i_d1) (x2_1_I i_d0)))))))

; PAR d1 of cross_entropy_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case76) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIVVV i_d0 i_d1 (x0_1_I i_d0) (ite
  (= (owner_d1_I i_d1) rank) (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)) (x2_1_I i_d0)) (operation5_IIVVV
  i_d0 i_d1 (x0_1_I i_d0) (x1_2_II i_d0 i_d1) (x2_1_I i_d0)))))))

; PAR d1 of embedding_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case77) (= (at2_TI (local_d0_3_III rank i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (ite
  (= (owner_d1_I i_d1) rank) (x0_2_II any_d0 i_d1) (beyond0_3_III rank any_d0 i_d1)) (x1_1_I any_d0)))))
(assert (or (not case77) (= (at2_TI (whole_d0_2_II i_d1 i_d2) any_d0) (operation5_IIIVV any_d0 i_d1 i_d2 (x0_2_II
  any_d0 i_d1) (x1_1_I any_d0)))))
(assert (or (not case77) (or (not (= (at2_TI (local_d0_3_III rank i_d1 i_d2) any_d0) (at2_TI (whole_d0_2_II i_d1
  i_d2) any_d0))) (= (local_d0_3_III rank i_d1 i_d2) (whole_d0_2_II i_d1 i_d2)))))
(assert (or (not case77) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d0_3_III rank i_d1 i_d2))
  (sum1_T (whole_d0_2_II i_d1 i_d2)))))))

; PAR d0 of dropout: the lemmas' instances, and that the claim does not hold.
(assert (or (not case78) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d1 of dropout: the lemmas' instances, and that the claim does not hold.
(assert (or (not case79) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation3_IIV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1))) (operation3_IIV i_d0 i_d1 (x0_2_II i_d0
  i_d1)))))))

; PAR d0 of update: the lemmas' instances, and that the claim does not hold.
(assert (or (not case80) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d0_I
  i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d1 of update: the lemmas' instances, and that the claim does not hold.
(assert (or (not case81) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation4_IIVV i_d0 i_d1 (ite (= (owner_d1_I
  i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x1_2_II i_d0
  i_d1) (beyond1_3_III rank i_d0 i_d1))) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)))))))

; PAR d0 of weighted_layernorm: the lemmas' instances, and that the claim does not hold.
(assert (or (not case82) (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case82) (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case82) (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II
  i_d0 i_d1) any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1)))))
(assert (or (not case82) (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (x1_1_I any_1_0))))
(assert (or (not case82) (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_1_I any_1_0))))
(assert (or (not case82) (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II
  i_d0 i_d1) any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1)))))
(assert (or (not case82) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation4_IITT i_d0 i_d1 (local_row0_3_III
  rank i_d0 i_d1) (local_row1_3_III rank i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (whole_row0_2_II i_d0 i_d1)
  (whole_row1_2_II i_d0 i_d1)))))))

; PAR d0 of weighted_layernorm_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case83) (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (ite (= (owner_d0_I i_d0) rank)
  (x0_2_II i_d0 any_0_0) (beyond0_3_III rank i_d0 any_0_0)))))
(assert (or (not case83) (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0))))
(assert (or (not case83) (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II
  i_d0 i_d1) any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1)))))
(assert (or (not case83) (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (ite (= (owner_d0_I i_d0) rank)
  (x1_2_II i_d0 any_1_0) (beyond1_3_III rank i_d0 any_1_0)))))
(assert (or (not case83) (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0))))
(assert (or (not case83) (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II
  i_d0 i_d1) any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1)))))
(assert (or (not case83) (= (at2_TI (local_row2_3_III rank i_d0 i_d1) any_2_0) (x2_1_I any_2_0))))
(assert (or (not case83) (= (at2_TI (whole_row2_2_II i_d0 i_d1) any_2_0) (x2_1_I any_2_0))))
(assert (or (not case83) (or (not (= (at2_TI (local_row2_3_III rank i_d0 i_d1) any_2_0) (at2_TI (whole_row2_2_II
  i_d0 i_d1) any_2_0))) (= (local_row2_3_III rank i_d0 i_d1) (whole_row2_2_II i_d0 i_d1)))))
(assert (or (not case83) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IITTT i_d0 i_d1 (local_row0_3_III
  rank i_d0 i_d1) (local_row1_3_III rank i_d0 i_d1) (local_row2_3_III rank i_d0 i_d1)) (operation5_IITTT i_d0 i_d1
  (whole_row0_2_II i_d0 i_d1) (whole_row1_2_II i_d0 i_d1) (whole_row2_2_II i_d0 i_d1)))))))

; PAR d0 of attention: the lemmas' instances, and that the claim does not hold.
(assert (or (not case84) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0)))))
(assert (or (not case84) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case84) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case84) (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0
  any_1_1) (ite (= (owner_d0_I i_d0) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1
  any_1_0 any_1_1)))))
(assert (or (not case84) (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case84) (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0 any_1_1) (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (=
  (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case84) (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (ite (=
  (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 i_d5) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 i_d5)))))
(assert (or (not case84) (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII
  i_d0 i_d1 any_2_0 i_d5))))
(assert (or (not case84) (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0) (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case84) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation7_IIIITTT i_d0 i_d1 i_d2 i_d5
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT i_d0 i_d1
  i_d2 i_d5 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d1 of attention: the lemmas' instances, and that the claim does not hold.
(assert (or (not case85) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0)))))
(assert (or (not case85) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case85) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case85) (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0
  any_1_1) (ite (= (owner_d1_I i_d1) rank) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1) (beyond1_5_IIIII rank i_d0 i_d1
  any_1_0 any_1_1)))))
(assert (or (not case85) (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case85) (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0 any_1_1) (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (=
  (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case85) (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (ite (=
  (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 i_d5) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 i_d5)))))
(assert (or (not case85) (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII
  i_d0 i_d1 any_2_0 i_d5))))
(assert (or (not case85) (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0) (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case85) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation7_IIIITTT i_d0 i_d1 i_d2 i_d5
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT i_d0 i_d1
  i_d2 i_d5 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d2 of attention: the lemmas' instances, and that the claim does not hold.
(assert (or (not case86) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d2_I i_d2) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0)))))
(assert (or (not case86) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case86) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case86) (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0
  any_1_1) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case86) (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case86) (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0 any_1_1) (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (=
  (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case86) (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0)
  (x2_4_IIII i_d0 i_d1 any_2_0 i_d5))))
(assert (or (not case86) (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII
  i_d0 i_d1 any_2_0 i_d5))))
(assert (or (not case86) (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0) (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case86) (not (or (not (= (owner_d2_I i_d2) rank)) (= (operation7_IIIITTT i_d0 i_d1 i_d2 i_d5
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT i_d0 i_d1
  i_d2 i_d5 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d5 of attention: the lemmas' instances, and that the claim does not hold.
(assert (or (not case87) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0)
  (x0_4_IIII i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case87) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case87) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case87) (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0
  any_1_1) (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case87) (= (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1)
  (x1_4_IIII i_d0 i_d1 any_1_0 any_1_1))))
(assert (or (not case87) (or (not (= (at3_TII (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0 any_1_1) (at3_TII (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0 any_1_1))) (=
  (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case87) (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (ite (=
  (owner_d5_I i_d5) rank) (x2_4_IIII i_d0 i_d1 any_2_0 i_d5) (beyond2_5_IIIII rank i_d0 i_d1 any_2_0 i_d5)))))
(assert (or (not case87) (= (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0) (x2_4_IIII
  i_d0 i_d1 any_2_0 i_d5))))
(assert (or (not case87) (or (not (= (at2_TI (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0) (at2_TI (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0))) (= (local_row2_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case87) (not (or (not (= (owner_d5_I i_d5) rank)) (= (operation7_IIIITTT i_d0 i_d1 i_d2 i_d5
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)) (operation7_IIIITTT i_d0 i_d1
  i_d2 i_d5 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d0 of attention_query_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case88) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0)))))
(assert (or (not case88) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case88) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case88) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (=
  (owner_d0_I i_d0) rank) (x1_4_IIII i_d0 i_d1 i_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 i_d2 any_1_0)))))
(assert (or (not case88) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 i_d2 any_1_0))))
(assert (or (not case88) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case88) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (ite (= (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1
  any_2_0 any_2_1)))))
(assert (or (not case88) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case88) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case88) (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0
  any_3_1) (ite (= (owner_d0_I i_d0) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1
  any_3_0 any_3_1)))))
(assert (or (not case88) (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case88) (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0 any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (=
  (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case88) (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (=
  (owner_d0_I i_d0) rank) (x4_4_IIII i_d0 i_d1 i_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 i_d2 any_4_0)))))
(assert (or (not case88) (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII
  i_d0 i_d1 i_d2 any_4_0))))
(assert (or (not case88) (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_4_0) (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case88) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))
  (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))))

; PAR d1 of attention_query_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case89) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0)))))
(assert (or (not case89) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case89) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case89) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (=
  (owner_d1_I i_d1) rank) (x1_4_IIII i_d0 i_d1 i_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 i_d2 any_1_0)))))
(assert (or (not case89) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 i_d2 any_1_0))))
(assert (or (not case89) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case89) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (ite (= (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1
  any_2_0 any_2_1)))))
(assert (or (not case89) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case89) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case89) (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0
  any_3_1) (ite (= (owner_d1_I i_d1) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1
  any_3_0 any_3_1)))))
(assert (or (not case89) (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case89) (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0 any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (=
  (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case89) (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (=
  (owner_d1_I i_d1) rank) (x4_4_IIII i_d0 i_d1 i_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 i_d2 any_4_0)))))
(assert (or (not case89) (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII
  i_d0 i_d1 i_d2 any_4_0))))
(assert (or (not case89) (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_4_0) (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case89) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))
  (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))))

; PAR d2 of attention_query_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case90) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite (=
  (owner_d2_I i_d2) rank) (x0_4_IIII i_d0 i_d1 i_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 i_d2 any_0_0)))))
(assert (or (not case90) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 i_d2 any_0_0))))
(assert (or (not case90) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case90) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite (=
  (owner_d2_I i_d2) rank) (x1_4_IIII i_d0 i_d1 i_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 i_d2 any_1_0)))))
(assert (or (not case90) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 i_d2 any_1_0))))
(assert (or (not case90) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case90) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case90) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case90) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case90) (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0
  any_3_1) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case90) (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case90) (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0 any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (=
  (local_row3_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case90) (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite (=
  (owner_d2_I i_d2) rank) (x4_4_IIII i_d0 i_d1 i_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 i_d2 any_4_0)))))
(assert (or (not case90) (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII
  i_d0 i_d1 i_d2 any_4_0))))
(assert (or (not case90) (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  any_4_0) (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII
  rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case90) (not (or (not (= (owner_d2_I i_d2) rank)) (= (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4
  (local_row0_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3
  i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0
  i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (local_row4_8_IIIIIIII rank i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6))
  (operation9_IIIITTTTT i_d0 i_d1 i_d2 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row1_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5
  i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 i_d2 i_d3 i_d4
  i_d5 i_d6)))))))

; PAR d0 of attention_key_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case91) (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIITTTTT i_d0 i_d1 any_d2 i_d3 i_d4 (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case91) (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIITTTTT i_d0 i_d1 any_d2 i_d3 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case91) (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case91) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite
  (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 any_d2
  any_0_0)))))
(assert (or (not case91) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 any_d2 any_0_0))))
(assert (or (not case91) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case91) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite
  (= (owner_d0_I i_d0) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2
  any_1_0)))))
(assert (or (not case91) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 any_d2 any_1_0))))
(assert (or (not case91) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case91) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (ite (= (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1
  any_2_0 any_2_1)))))
(assert (or (not case91) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case91) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case91) (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0
  any_3_1) (ite (= (owner_d0_I i_d0) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1
  any_3_0 any_3_1)))))
(assert (or (not case91) (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case91) (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0 any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (=
  (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case91) (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite
  (= (owner_d0_I i_d0) rank) (x4_4_IIII i_d0 i_d1 any_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 any_d2
  any_4_0)))))
(assert (or (not case91) (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII
  i_d0 i_d1 any_d2 any_4_0))))
(assert (or (not case91) (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_4_0) (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case91) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d2_7_IIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d1 of attention_key_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case92) (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIITTTTT i_d0 i_d1 any_d2 i_d3 i_d4 (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case92) (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIITTTTT i_d0 i_d1 any_d2 i_d3 i_d4 (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case92) (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case92) (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (ite
  (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_d2 any_0_0) (beyond0_5_IIIII rank i_d0 i_d1 any_d2
  any_0_0)))))
(assert (or (not case92) (= (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0) (x0_4_IIII
  i_d0 i_d1 any_d2 any_0_0))))
(assert (or (not case92) (or (not (= (at2_TI (local_row0_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_0_0) (at2_TI (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_0_0))) (= (local_row0_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row0_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case92) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite
  (= (owner_d1_I i_d1) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2
  any_1_0)))))
(assert (or (not case92) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 any_d2 any_1_0))))
(assert (or (not case92) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case92) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (ite (= (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1
  any_2_0 any_2_1)))))
(assert (or (not case92) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case92) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case92) (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0
  any_3_1) (ite (= (owner_d1_I i_d1) rank) (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1) (beyond3_5_IIIII rank i_d0 i_d1
  any_3_0 any_3_1)))))
(assert (or (not case92) (= (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1)
  (x3_4_IIII i_d0 i_d1 any_3_0 any_3_1))))
(assert (or (not case92) (or (not (= (at3_TII (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0 any_3_1) (at3_TII (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0 any_3_1))) (=
  (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case92) (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (ite
  (= (owner_d1_I i_d1) rank) (x4_4_IIII i_d0 i_d1 any_d2 any_4_0) (beyond4_5_IIIII rank i_d0 i_d1 any_d2
  any_4_0)))))
(assert (or (not case92) (= (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0) (x4_4_IIII
  i_d0 i_d1 any_d2 any_4_0))))
(assert (or (not case92) (or (not (= (at2_TI (local_row4_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_4_0) (at2_TI (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_4_0))) (= (local_row4_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row4_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case92) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d2_7_IIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d0 of attention_value_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case93) (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (ite (= (owner_d0_I i_d0) rank) (x0_4_IIII i_d0 i_d1 any_d2
  i_d5) (beyond0_5_IIIII rank i_d0 i_d1 any_d2 i_d5)) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (ite (= (owner_d0_I i_d0) rank) (x4_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond4_5_IIIII
  rank i_d0 i_d1 any_d2 i_d5))))))
(assert (or (not case93) (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (whole_row1_7_IIIIIII i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII
  i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5)))))
(assert (or (not case93) (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case93) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite
  (= (owner_d0_I i_d0) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2
  any_1_0)))))
(assert (or (not case93) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 any_d2 any_1_0))))
(assert (or (not case93) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case93) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (ite (= (owner_d0_I i_d0) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1
  any_2_0 any_2_1)))))
(assert (or (not case93) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case93) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case93) (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (ite
  (= (owner_d0_I i_d0) rank) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 i_d5)))))
(assert (or (not case93) (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII
  i_d0 i_d1 any_3_0 i_d5))))
(assert (or (not case93) (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0) (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case93) (not (or (not (= (owner_d0_I i_d0) rank)) (= (sum1_T (local_d2_7_IIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d1 of attention_value_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case94) (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (ite (= (owner_d1_I i_d1) rank) (x0_4_IIII i_d0 i_d1 any_d2
  i_d5) (beyond0_5_IIIII rank i_d0 i_d1 any_d2 i_d5)) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (ite (= (owner_d1_I i_d1) rank) (x4_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond4_5_IIIII
  rank i_d0 i_d1 any_d2 i_d5))))))
(assert (or (not case94) (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (whole_row1_7_IIIIIII i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII
  i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5)))))
(assert (or (not case94) (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case94) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (ite
  (= (owner_d1_I i_d1) rank) (x1_4_IIII i_d0 i_d1 any_d2 any_1_0) (beyond1_5_IIIII rank i_d0 i_d1 any_d2
  any_1_0)))))
(assert (or (not case94) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 any_d2 any_1_0))))
(assert (or (not case94) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case94) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (ite (= (owner_d1_I i_d1) rank) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1) (beyond2_5_IIIII rank i_d0 i_d1
  any_2_0 any_2_1)))))
(assert (or (not case94) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case94) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case94) (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (ite
  (= (owner_d1_I i_d1) rank) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 i_d5)))))
(assert (or (not case94) (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII
  i_d0 i_d1 any_3_0 i_d5))))
(assert (or (not case94) (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0) (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case94) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d2_7_IIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d5 of attention_value_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case95) (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (ite (= (owner_d5_I i_d5) rank) (x0_4_IIII i_d0 i_d1 any_d2
  i_d5) (beyond0_5_IIIII rank i_d0 i_d1 any_d2 i_d5)) (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5
  i_d6) (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (local_row3_8_IIIIIIII rank i_d0 i_d1
  any_d2 i_d3 i_d4 i_d5 i_d6) (ite (= (owner_d5_I i_d5) rank) (x4_4_IIII i_d0 i_d1 any_d2 i_d5) (beyond4_5_IIIII
  rank i_d0 i_d1 any_d2 i_d5))))))
(assert (or (not case95) (= (at2_TI (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2)
  (operation10_IIIIIVTTTV i_d0 i_d1 any_d2 i_d3 i_d5 (x0_4_IIII i_d0 i_d1 any_d2 i_d5) (whole_row1_7_IIIIIII i_d0
  i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII
  i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (x4_4_IIII i_d0 i_d1 any_d2 i_d5)))))
(assert (or (not case95) (or (not (= (at2_TI (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2) (at2_TI
  (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6) any_d2))) (= (local_d2_7_IIIIIII rank i_d0 i_d1 i_d3 i_d4 i_d5
  i_d6) (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case95) (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0)
  (x1_4_IIII i_d0 i_d1 any_d2 any_1_0))))
(assert (or (not case95) (= (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0) (x1_4_IIII
  i_d0 i_d1 any_d2 any_1_0))))
(assert (or (not case95) (or (not (= (at2_TI (local_row1_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_1_0) (at2_TI (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_1_0))) (= (local_row1_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row1_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case95) (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0
  any_2_1) (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case95) (= (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1)
  (x2_4_IIII i_d0 i_d1 any_2_0 any_2_1))))
(assert (or (not case95) (or (not (= (at3_TII (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_2_0 any_2_1) (at3_TII (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_2_0 any_2_1))) (=
  (local_row2_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row2_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4
  i_d5 i_d6)))))
(assert (or (not case95) (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (ite
  (= (owner_d5_I i_d5) rank) (x3_4_IIII i_d0 i_d1 any_3_0 i_d5) (beyond3_5_IIIII rank i_d0 i_d1 any_3_0 i_d5)))))
(assert (or (not case95) (= (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0) (x3_4_IIII
  i_d0 i_d1 any_3_0 i_d5))))
(assert (or (not case95) (or (not (= (at2_TI (local_row3_8_IIIIIIII rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)
  any_3_0) (at2_TI (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) any_3_0))) (= (local_row3_8_IIIIIIII
  rank i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6) (whole_row3_7_IIIIIII i_d0 i_d1 any_d2 i_d3 i_d4 i_d5 i_d6)))))
(assert (or (not case95) (not (or (not (= (owner_d5_I i_d5) rank)) (= (sum1_T (local_d2_7_IIIIIII rank i_d0 i_d1
  i_d3 i_d4 i_d5 i_d6)) (sum1_T (whole_d2_6_IIIIII i_d0 i_d1 i_d3 i_d4 i_d5 i_d6)))))))

; PAR d0 of batch_norm: the lemmas' instances, and that the claim does not hold.
(assert (or (not case96) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation5_IIVVV i_d0 i_d1 (ite (=
  (owner_d0_I i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (x1_1_I i_d1) (x2_1_I i_d1))
  (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_1_I i_d1) (x2_1_I i_d1)))))))

; PAR d1 of batch_norm: the lemmas' instances, and that the claim does not hold.
(assert (or (not case97) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation5_IIVVV i_d0 i_d1 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank)
  (x1_1_I i_d1) (beyond1_2_II rank i_d1)) (ite (= (owner_d1_I i_d1) rank) (x2_1_I i_d1) (beyond2_2_II rank i_d1)))
  (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_1_I i_d1) (x2_1_I i_d1)))))))

; PAR d1 of batch_norm_squares: the lemmas' instances, and that the claim does not hold.
(assert (or (not case98) (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation4_IIVV any_d0 i_d1 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II any_d0 i_d1) (beyond0_3_III rank any_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank)
  (x1_1_I i_d1) (beyond1_2_II rank i_d1))))))
(assert (or (not case98) (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation4_IIVV any_d0 i_d1 (x0_2_II any_d0 i_d1)
  (x1_1_I i_d1)))))
(assert (or (not case98) (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0)))
  (= (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1)))))
(assert (or (not case98) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d0_2_II rank i_d1)) (sum1_T
  (whole_d0_1_I i_d1)))))))

; PAR d1 of batch_norm_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case99) (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II any_d0 i_d1) (beyond0_3_III rank any_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank)
  (x1_2_II any_d0 i_d1) (beyond1_3_III rank any_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x2_1_I i_d1)
  (beyond2_2_II rank i_d1)) (ite (= (owner_d1_I i_d1) rank) (x3_1_I i_d1) (beyond3_2_II rank i_d1))))))
(assert (or (not case99) (= (at2_TI (whole_d0_1_I i_d1) any_d0) (operation6_IIVVVV any_d0 i_d1 (x0_2_II any_d0 i_d1)
  (x1_2_II any_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1)))))
(assert (or (not case99) (or (not (= (at2_TI (local_d0_2_II rank i_d1) any_d0) (at2_TI (whole_d0_1_I i_d1) any_d0)))
  (= (local_d0_2_II rank i_d1) (whole_d0_1_I i_d1)))))
(assert (or (not case99) (not (or (not (= (owner_d1_I i_d1) rank)) (= (sum1_T (local_d0_2_II rank i_d1)) (sum1_T
  (whole_d0_1_I i_d1)))))))

; PAR d0 of batch_norm_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case100) (not (or (not (= (owner_d0_I i_d0) rank)) (= (operation9_IIVVVVVVV i_d0 i_d1 (ite (=
  (owner_d0_I i_d0) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d0_I i_d0) rank)
  (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)) (x2_1_I i_d1) (x3_1_I i_d1) (x4_1_I i_d1) (x5_1_I i_d1)
  (x6_1_I i_d1)) (operation9_IIVVVVVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1)
  (x4_1_I i_d1) (x5_1_I i_d1) (x6_1_I i_d1)))))))

; PAR d1 of batch_norm_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case101) (not (or (not (= (owner_d1_I i_d1) rank)) (= (operation9_IIVVVVVVV i_d0 i_d1 (ite (=
  (owner_d1_I i_d1) rank) (x0_2_II i_d0 i_d1) (beyond0_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank)
  (x1_2_II i_d0 i_d1) (beyond1_3_III rank i_d0 i_d1)) (ite (= (owner_d1_I i_d1) rank) (x2_1_I i_d1) (beyond2_2_II
  rank i_d1)) (ite (= (owner_d1_I i_d1) rank) (x3_1_I i_d1) (beyond3_2_II rank i_d1)) (ite (= (owner_d1_I i_d1)
  rank) (x4_1_I i_d1) (beyond4_2_II rank i_d1)) (ite (= (owner_d1_I i_d1) rank) (x5_1_I i_d1) (beyond5_2_II rank
  i_d1)) (ite (= (owner_d1_I i_d1) rank) (x6_1_I i_d1) (beyond6_2_II rank i_d1))) (operation9_IIVVVVVVV i_d0 i_d1
  (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1) (x2_1_I i_d1) (x3_1_I i_d1) (x4_1_I i_d1) (x5_1_I i_d1) (x6_1_I
  i_d1)))))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 case11 case12 case13 case14 case15
  case16 case17 case18 case19 case20 case21 case22 case23 case24 case25 case26 case27 case28 case29 case30 case31
  case32 case33 case34 case35 case36 case37 case38 case39 case40 case41 case42 case43 case44 case45 case46 case47
  case48 case49 case50 case51 case52 case53 case54 case55 case56 case57 case58 case59 case60 case61 case62 case63
  case64 case65 case66 case67 case68 case69 case70 case71 case72 case73 case74 case75 case76 case77 case78 case79
  case80 case81 case82 case83 case84 case85 case86 case87 case88 case89 case90 case91 case92 case93 case94 case95
  case96 case97 case98 case99 case100 case101))

(check-sat)
