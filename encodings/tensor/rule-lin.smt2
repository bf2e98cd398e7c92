; Sums over ranks pass through an operation that is linear in the operand that is a summand. Tensors of any size,
; cut in any way, on any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_c () Int)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun any_k2 () Int)
(declare-fun any_m () Int)
(declare-fun any_n () Int)
(declare-fun any_o () Int)
(declare-fun any_v () Int)
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
(declare-fun case4 () Bool)
(declare-fun case5 () Bool)
(declare-fun case6 () Bool)
(declare-fun case7 () Bool)
(declare-fun case8 () Bool)
(declare-fun case9 () Bool)
(declare-fun exchanged_c_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_d0_ () TensorTable)
(declare-fun exchanged_d0_2_II (Int Int) TensorTable)
(declare-fun exchanged_d1_1_I (Int) TensorTable)
(declare-fun exchanged_d1_3_III (Int Int Int) TensorTable)
(declare-fun exchanged_k2_2_II (Int Int) TensorTable)
(declare-fun exchanged_m_2_II (Int Int) TensorTable)
(declare-fun exchanged_n_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_o_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun exchanged_v_1_I (Int) TensorTable)
(declare-fun exchanged_v_3_III (Int Int Int) TensorTable)
(declare-fun i_a () Int)
(declare-fun i_b () Int)
(declare-fun i_c () Int)
(declare-fun i_d () Int)
(declare-fun i_d0 () Int)
(declare-fun i_d1 () Int)
(declare-fun i_e () Int)
(declare-fun i_from0 () Int)
(declare-fun i_g0 () Int)
(declare-fun i_g1 () Int)
(declare-fun i_h () Int)
(declare-fun i_kh () Int)
(declare-fun i_kw () Int)
(declare-fun i_m2 () Int)
(declare-fun i_n () Int)
(declare-fun i_n2 () Int)
(declare-fun i_o () Int)
(declare-fun i_oh () Int)
(declare-fun i_one0 () Int)
(declare-fun i_one1 () Int)
(declare-fun i_ow () Int)
(declare-fun i_s () Int)
(declare-fun i_t () Int)
(declare-fun i_to () Int)
(declare-fun i_v () Int)
(declare-fun i_w () Int)
(declare-fun operation3_IIT (Int Int TensorTable) Value)
(declare-fun operation3_IIV (Int Int Value) Value)
(declare-fun operation4_IITT (Int Int TensorTable TensorTable) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIIT (Int Int Int Int TensorTable) Value)
(declare-fun operation5_IIIIV (Int Int Int Int Value) Value)
(declare-fun operation5_IIIVV (Int Int Int Value Value) Value)
(declare-fun operation6_IIIITT (Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation6_IIIIVV (Int Int Int Int Value Value) Value)
(declare-fun operation7_IIIIITT (Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun operation7_IIIITTT (Int Int Int Int TensorTable TensorTable TensorTable) Value)
(declare-fun operation8_IIIITTTT (Int Int Int Int TensorTable TensorTable TensorTable TensorTable) Value)
(declare-fun ranks0_2_II (Int Int) TensorTable)
(declare-fun ranks0_3_III (Int Int Int) TensorTable)
(declare-fun ranks0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun ranks0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun ranks0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks1_1_I (Int) TensorTable)
(declare-fun ranks1_2_II (Int Int) TensorTable)
(declare-fun ranks1_3_III (Int Int Int) TensorTable)
(declare-fun ranks1_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun ranks2_ () TensorTable)
(declare-fun ranks2_2_II (Int Int) TensorTable)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun summed0_2_II (Int Int) TensorTable)
(declare-fun summed1_2_II (Int Int) TensorTable)
(declare-fun together_c_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_d0_ () TensorTable)
(declare-fun together_d0_2_II (Int Int) TensorTable)
(declare-fun together_d1_1_I (Int) TensorTable)
(declare-fun together_d1_3_III (Int Int Int) TensorTable)
(declare-fun together_k2_2_II (Int Int) TensorTable)
(declare-fun together_m_2_II (Int Int) TensorTable)
(declare-fun together_n_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_o_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row0_2_II (Int Int) TensorTable)
(declare-fun together_row0_3_III (Int Int Int) TensorTable)
(declare-fun together_row0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_row0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_2_II (Int Int) TensorTable)
(declare-fun together_row1_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun together_row2_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_row3_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_v_1_I (Int) TensorTable)
(declare-fun together_v_3_III (Int Int Int) TensorTable)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x1_1_I (Int) Value)
(declare-fun x1_2_II (Int Int) Value)

; LIN + in 0 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (sum1_T (ranks1_2_II i_b i_n)) (sum1_T (exchanged_m_2_II i_b i_n)))))
(assert (or (not case0) (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (sum1_T (ranks0_3_III i_b any_m i_n)))))
(assert (or (not case0) (= (at2_TI (together_m_2_II i_b i_n) any_m) (operation5_IIIVV i_b any_m i_n (sum1_T
  (summed0_2_II i_b any_m)) (x1_2_II any_m i_n)))))
(assert (or (not case0) (or (not (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (at2_TI (together_m_2_II i_b i_n)
  any_m))) (= (exchanged_m_2_II i_b i_n) (together_m_2_II i_b i_n)))))
(assert (or (not case0) (= (sum1_T (ranks0_3_III i_b any_m i_n)) (operation5_IIIVV i_b any_m i_n (sum1_T
  (summed0_2_II i_b any_m)) (x1_2_II any_m i_n)))))
(assert (or (not case0) (not (= (sum1_T (ranks1_2_II i_b i_n)) (sum1_T (together_m_2_II i_b i_n))))))

; LIN + in 1 of einsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (sum1_T (ranks1_2_II i_b i_n)) (sum1_T (exchanged_m_2_II i_b i_n)))))
(assert (or (not case1) (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (sum1_T (ranks0_3_III i_b any_m i_n)))))
(assert (or (not case1) (= (at2_TI (together_m_2_II i_b i_n) any_m) (operation5_IIIVV i_b any_m i_n (x0_2_II i_b
  any_m) (sum1_T (summed1_2_II any_m i_n))))))
(assert (or (not case1) (or (not (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (at2_TI (together_m_2_II i_b i_n)
  any_m))) (= (exchanged_m_2_II i_b i_n) (together_m_2_II i_b i_n)))))
(assert (or (not case1) (= (sum1_T (ranks0_3_III i_b any_m i_n)) (operation5_IIIVV i_b any_m i_n (x0_2_II i_b any_m)
  (sum1_T (summed1_2_II any_m i_n))))))
(assert (or (not case1) (not (= (sum1_T (ranks1_2_II i_b i_n)) (sum1_T (together_m_2_II i_b i_n))))))

; LIN + in 0 of matmul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (sum1_T (ranks1_2_II i_m2 i_n2)) (sum1_T (exchanged_k2_2_II i_m2 i_n2)))))
(assert (or (not case2) (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (sum1_T (ranks0_3_III any_k2 i_m2 i_n2)))))
(assert (or (not case2) (= (at2_TI (together_k2_2_II i_m2 i_n2) any_k2) (operation5_IIIVV any_k2 i_m2 i_n2 (sum1_T
  (summed0_2_II i_m2 any_k2)) (x1_2_II any_k2 i_n2)))))
(assert (or (not case2) (or (not (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (at2_TI (together_k2_2_II i_m2
  i_n2) any_k2))) (= (exchanged_k2_2_II i_m2 i_n2) (together_k2_2_II i_m2 i_n2)))))
(assert (or (not case2) (= (sum1_T (ranks0_3_III any_k2 i_m2 i_n2)) (operation5_IIIVV any_k2 i_m2 i_n2 (sum1_T
  (summed0_2_II i_m2 any_k2)) (x1_2_II any_k2 i_n2)))))
(assert (or (not case2) (not (= (sum1_T (ranks1_2_II i_m2 i_n2)) (sum1_T (together_k2_2_II i_m2 i_n2))))))

; LIN + in 1 of matmul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (sum1_T (ranks1_2_II i_m2 i_n2)) (sum1_T (exchanged_k2_2_II i_m2 i_n2)))))
(assert (or (not case3) (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (sum1_T (ranks0_3_III any_k2 i_m2 i_n2)))))
(assert (or (not case3) (= (at2_TI (together_k2_2_II i_m2 i_n2) any_k2) (operation5_IIIVV any_k2 i_m2 i_n2 (x0_2_II
  i_m2 any_k2) (sum1_T (summed1_2_II any_k2 i_n2))))))
(assert (or (not case3) (or (not (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (at2_TI (together_k2_2_II i_m2
  i_n2) any_k2))) (= (exchanged_k2_2_II i_m2 i_n2) (together_k2_2_II i_m2 i_n2)))))
(assert (or (not case3) (= (sum1_T (ranks0_3_III any_k2 i_m2 i_n2)) (operation5_IIIVV any_k2 i_m2 i_n2 (x0_2_II i_m2
  any_k2) (sum1_T (summed1_2_II any_k2 i_n2))))))
(assert (or (not case3) (not (= (sum1_T (ranks1_2_II i_m2 i_n2)) (sum1_T (together_k2_2_II i_m2 i_n2))))))

; LIN + in 0 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (sum1_T (ranks1_2_II i_a i_n2)) (sum1_T (exchanged_k2_2_II i_a i_n2)))))
(assert (or (not case4) (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (sum1_T (ranks0_3_III i_a any_k2 i_n2)))))
(assert (or (not case4) (= (at2_TI (together_k2_2_II i_a i_n2) any_k2) (operation5_IIIVV i_a any_k2 i_n2 (sum1_T
  (summed0_2_II i_a any_k2)) (x1_2_II i_n2 any_k2)))))
(assert (or (not case4) (or (not (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (at2_TI (together_k2_2_II i_a i_n2)
  any_k2))) (= (exchanged_k2_2_II i_a i_n2) (together_k2_2_II i_a i_n2)))))
(assert (or (not case4) (= (sum1_T (ranks0_3_III i_a any_k2 i_n2)) (operation5_IIIVV i_a any_k2 i_n2 (sum1_T
  (summed0_2_II i_a any_k2)) (x1_2_II i_n2 any_k2)))))
(assert (or (not case4) (not (= (sum1_T (ranks1_2_II i_a i_n2)) (sum1_T (together_k2_2_II i_a i_n2))))))

; LIN + in 1 of linear: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (sum1_T (ranks1_2_II i_a i_n2)) (sum1_T (exchanged_k2_2_II i_a i_n2)))))
(assert (or (not case5) (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (sum1_T (ranks0_3_III i_a any_k2 i_n2)))))
(assert (or (not case5) (= (at2_TI (together_k2_2_II i_a i_n2) any_k2) (operation5_IIIVV i_a any_k2 i_n2 (x0_2_II
  i_a any_k2) (sum1_T (summed1_2_II i_n2 any_k2))))))
(assert (or (not case5) (or (not (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (at2_TI (together_k2_2_II i_a i_n2)
  any_k2))) (= (exchanged_k2_2_II i_a i_n2) (together_k2_2_II i_a i_n2)))))
(assert (or (not case5) (= (sum1_T (ranks0_3_III i_a any_k2 i_n2)) (operation5_IIIVV i_a any_k2 i_n2 (x0_2_II i_a
  any_k2) (sum1_T (summed1_2_II i_n2 any_k2))))))
(assert (or (not case5) (not (= (sum1_T (ranks1_2_II i_a i_n2)) (sum1_T (together_k2_2_II i_a i_n2))))))

; LIN + in 0 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case6) (= (sum1_T (ranks1_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (sum1_T
  (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case6) (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (sum1_T
  (ranks0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case6) (= (at2_TI (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c)
  (operation7_IIIIITT any_c i_n i_o i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case6) (or (not (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c)
  (at2_TI (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c))) (= (exchanged_c_8_IIIIIIII i_h i_kh
  i_kw i_n i_o i_oh i_ow i_w) (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case6) (= (sum1_T (ranks0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))
  (operation7_IIIIITT any_c i_n i_o i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case6) (not (= (sum1_T (ranks1_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (sum1_T
  (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))))

; LIN + in 1 of conv2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case7) (= (sum1_T (ranks1_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (sum1_T
  (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case7) (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (sum1_T
  (ranks0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case7) (= (at2_TI (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c)
  (operation7_IIIIITT any_c i_n i_o i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case7) (or (not (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c)
  (at2_TI (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c))) (= (exchanged_c_8_IIIIIIII i_h i_kh
  i_kw i_n i_o i_oh i_ow i_w) (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case7) (= (sum1_T (ranks0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))
  (operation7_IIIIITT any_c i_n i_o i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)))))
(assert (or (not case7) (not (= (sum1_T (ranks1_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (sum1_T
  (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))))

; LIN + in 0 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case8) (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)) (sum1_T
  (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)))))
(assert (or (not case8) (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (sum1_T
  (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)))))
(assert (or (not case8) (= (at2_TI (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o)
  (operation7_IIIIITT i_c i_h i_n any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)))))
(assert (or (not case8) (or (not (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o)
  (at2_TI (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o))) (= (exchanged_o_8_IIIIIIII i_c i_h
  i_kh i_kw i_n i_oh i_ow i_w) (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)))))
(assert (or (not case8) (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w))
  (operation7_IIIIITT i_c i_h i_n any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)))))
(assert (or (not case8) (not (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)) (sum1_T
  (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w))))))

; LIN + in 1 of conv2d_input_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case9) (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)) (sum1_T
  (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)))))
(assert (or (not case9) (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (sum1_T
  (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)))))
(assert (or (not case9) (= (at2_TI (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o)
  (operation7_IIIIITT i_c i_h i_n any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)))))
(assert (or (not case9) (or (not (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o)
  (at2_TI (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o))) (= (exchanged_o_8_IIIIIIII i_c i_h
  i_kh i_kw i_n i_oh i_ow i_w) (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)))))
(assert (or (not case9) (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w))
  (operation7_IIIIITT i_c i_h i_n any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)))))
(assert (or (not case9) (not (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)) (sum1_T
  (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w))))))

; LIN + in 0 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case10) (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)) (sum1_T
  (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)))))
(assert (or (not case10) (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (sum1_T
  (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)))))
(assert (or (not case10) (= (at2_TI (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n)
  (operation7_IIIIITT i_c i_kh i_kw any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)))))
(assert (or (not case10) (or (not (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n)
  (at2_TI (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n))) (= (exchanged_n_8_IIIIIIII i_c i_h
  i_kh i_kw i_o i_oh i_ow i_w) (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)))))
(assert (or (not case10) (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))
  (operation7_IIIIITT i_c i_kh i_kw any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)))))
(assert (or (not case10) (not (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)) (sum1_T
  (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w))))))

; LIN + in 1 of conv2d_weight_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case11) (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)) (sum1_T
  (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)))))
(assert (or (not case11) (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (sum1_T
  (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)))))
(assert (or (not case11) (= (at2_TI (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n)
  (operation7_IIIIITT i_c i_kh i_kw any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)))))
(assert (or (not case11) (or (not (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n)
  (at2_TI (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n))) (= (exchanged_n_8_IIIIIIII i_c i_h
  i_kh i_kw i_o i_oh i_ow i_w) (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)))))
(assert (or (not case11) (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))
  (operation7_IIIIITT i_c i_kh i_kw any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)
  (together_row1_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)))))
(assert (or (not case11) (not (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)) (sum1_T
  (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w))))))

; LIN + in 0 of mul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case12) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case12) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; LIN + in 1 of mul: the lemmas' instances, and that the claim does not hold.
(assert (or (not case13) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (sum1_T
  (summed1_2_II i_d0 i_d1))))))
(assert (or (not case13) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (sum1_T (summed1_2_II i_d0 i_d1)))))))

; LIN + in 0 of div: the lemmas' instances, and that the claim does not hold.
(assert (or (not case14) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case14) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; LIN + in 0 of neg: the lemmas' instances, and that the claim does not hold.
(assert (or (not case15) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case15) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 0 of cast: the lemmas' instances, and that the claim does not hold.
(assert (or (not case16) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case16) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 0 of sum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case17) (= (sum1_T ranks2_) (sum1_T exchanged_d0_))))
(assert (or (not case17) (= (at2_TI exchanged_d0_ any_d0) (sum1_T (ranks1_1_I any_d0)))))
(assert (or (not case17) (= (at2_TI together_d0_ any_d0) (sum1_T (together_d1_1_I any_d0)))))
(assert (or (not case17) (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_
  together_d0_))))
(assert (or (not case17) (= (sum1_T (ranks1_1_I any_d0)) (sum1_T (exchanged_d1_1_I any_d0)))))
(assert (or (not case17) (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (sum1_T (ranks0_2_II any_d0 any_d1)))))
(assert (or (not case17) (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (sum1_T
  (summed0_2_II any_d0 any_d1))))))
(assert (or (not case17) (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0)
  any_d1))) (= (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0)))))
(assert (or (not case17) (= (sum1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (sum1_T (summed0_2_II
  any_d0 any_d1))))))
(assert (or (not case17) (not (= (sum1_T ranks2_) (sum1_T together_d0_)))))

; LIN + in 0 of sum_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case18) (= (sum1_T (ranks2_2_II i_one0 i_one1)) (sum1_T (exchanged_d0_2_II i_one0 i_one1)))))
(assert (or (not case18) (= (at2_TI (exchanged_d0_2_II i_one0 i_one1) any_d0) (sum1_T (ranks1_3_III any_d0 i_one0
  i_one1)))))
(assert (or (not case18) (= (at2_TI (together_d0_2_II i_one0 i_one1) any_d0) (sum1_T (together_d1_3_III any_d0
  i_one0 i_one1)))))
(assert (or (not case18) (or (not (= (at2_TI (exchanged_d0_2_II i_one0 i_one1) any_d0) (at2_TI (together_d0_2_II
  i_one0 i_one1) any_d0))) (= (exchanged_d0_2_II i_one0 i_one1) (together_d0_2_II i_one0 i_one1)))))
(assert (or (not case18) (= (sum1_T (ranks1_3_III any_d0 i_one0 i_one1)) (sum1_T (exchanged_d1_3_III any_d0 i_one0
  i_one1)))))
(assert (or (not case18) (= (at2_TI (exchanged_d1_3_III any_d0 i_one0 i_one1) any_d1) (sum1_T (ranks0_4_IIII any_d0
  any_d1 i_one0 i_one1)))))
(assert (or (not case18) (= (at2_TI (together_d1_3_III any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1
  i_one0 i_one1 (sum1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case18) (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_one0 i_one1) any_d1) (at2_TI
  (together_d1_3_III any_d0 i_one0 i_one1) any_d1))) (= (exchanged_d1_3_III any_d0 i_one0 i_one1) (together_d1_3_III
  any_d0 i_one0 i_one1)))))
(assert (or (not case18) (= (sum1_T (ranks0_4_IIII any_d0 any_d1 i_one0 i_one1)) (operation5_IIIIV any_d0 any_d1
  i_one0 i_one1 (sum1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case18) (not (= (sum1_T (ranks2_2_II i_one0 i_one1)) (sum1_T (together_d0_2_II i_one0 i_one1))))))

; LIN + in 0 of softmax_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case19) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1) (together_row1_2_II i_d0 i_d1)))))
(assert (or (not case19) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II
  i_d0 i_d1) (together_row1_2_II i_d0 i_d1))))))

; LIN + in 0 of cumsum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case20) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1)))))
(assert (or (not case20) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (together_row0_2_II i_d0
  i_d1))))))

; LIN + in 2 of attention: the lemmas' instances, and that the claim does not hold.
(assert (or (not case21) (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation7_IIIITTT i_b i_e i_h i_s
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t)))))
(assert (or (not case21) (not (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation7_IIIITTT i_b i_e i_h
  i_s (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t))))))

; LIN + in 0 of attention_query_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case22) (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_d i_h i_s
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t)))))
(assert (or (not case22) (not (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_d i_h
  i_s (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))))

; LIN + in 0 of attention_key_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case23) (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_d i_h i_t
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t)))))
(assert (or (not case23) (not (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_d i_h
  i_t (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))))

; LIN + in 0 of attention_value_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case24) (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_e i_h i_t
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t)))))
(assert (or (not case24) (not (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_e i_h
  i_t (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))))

; LIN + in 0 of max_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case25) (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation6_IIIITT i_c i_h i_n i_w
  (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) (together_row1_6_IIIIII i_c i_h i_n i_oh i_ow i_w)))))
(assert (or (not case25) (not (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation6_IIIITT i_c i_h i_n
  i_w (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) (together_row1_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))))

; LIN + in 0 of adaptive_avg_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case26) (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation5_IIIIT i_c i_n i_oh i_ow
  (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)))))
(assert (or (not case26) (not (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation5_IIIIT i_c i_n i_oh
  i_ow (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))))

; LIN + in 0 of adaptive_avg_pool2d_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case27) (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation5_IIIIT i_c i_h i_n i_w
  (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)))))
(assert (or (not case27) (not (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation5_IIIIT i_c i_h i_n
  i_w (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))))

; LIN + in 0 of transpose: the lemmas' instances, and that the claim does not hold.
(assert (or (not case28) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case28) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; LIN + in 0 of reshape: the lemmas' instances, and that the claim does not hold.
(assert (or (not case29) (= (sum1_T (ranks0_2_II i_g0 i_g1)) (operation3_IIV i_g0 i_g1 (sum1_T (summed0_2_II i_g0
  i_g1))))))
(assert (or (not case29) (not (= (sum1_T (ranks0_2_II i_g0 i_g1)) (operation3_IIV i_g0 i_g1 (sum1_T (summed0_2_II
  i_g0 i_g1)))))))

; LIN + in 0 of slice: the lemmas' instances, and that the claim does not hold.
(assert (or (not case30) (= (sum1_T (ranks0_3_III i_d0 i_from0 i_to)) (operation3_IIT i_d0 i_to (together_row0_3_III
  i_d0 i_from0 i_to)))))
(assert (or (not case30) (not (= (sum1_T (ranks0_3_III i_d0 i_from0 i_to)) (operation3_IIT i_d0 i_to
  (together_row0_3_III i_d0 i_from0 i_to))))))

; LIN + in 0 of embedding: the lemmas' instances, and that the claim does not hold.
(assert (or (not case31) (= (sum1_T (ranks1_3_III i_d0 i_d1 i_h)) (sum1_T (exchanged_v_3_III i_d0 i_d1 i_h)))))
(assert (or (not case31) (= (at2_TI (exchanged_v_3_III i_d0 i_d1 i_h) any_v) (sum1_T (ranks0_4_IIII i_d0 i_d1 i_h
  any_v)))))
(assert (or (not case31) (= (at2_TI (together_v_3_III i_d0 i_d1 i_h) any_v) (operation6_IIIIVV i_d0 i_d1 i_h any_v
  (sum1_T (summed0_2_II any_v i_h)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case31) (or (not (= (at2_TI (exchanged_v_3_III i_d0 i_d1 i_h) any_v) (at2_TI (together_v_3_III i_d0
  i_d1 i_h) any_v))) (= (exchanged_v_3_III i_d0 i_d1 i_h) (together_v_3_III i_d0 i_d1 i_h)))))
(assert (or (not case31) (= (sum1_T (ranks0_4_IIII i_d0 i_d1 i_h any_v)) (operation6_IIIIVV i_d0 i_d1 i_h any_v
  (sum1_T (summed0_2_II any_v i_h)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case31) (not (= (sum1_T (ranks1_3_III i_d0 i_d1 i_h)) (sum1_T (together_v_3_III i_d0 i_d1 i_h))))))

; LIN + in 0 of pick: the lemmas' instances, and that the claim does not hold.
(assert (or (not case32) (= (sum1_T (ranks1_1_I i_d0)) (sum1_T (exchanged_v_1_I i_d0)))))
(assert (or (not case32) (= (at2_TI (exchanged_v_1_I i_d0) any_v) (sum1_T (ranks0_2_II i_d0 any_v)))))
(assert (or (not case32) (= (at2_TI (together_v_1_I i_d0) any_v) (operation4_IIVV i_d0 any_v (sum1_T (summed0_2_II
  i_d0 any_v)) (x1_1_I i_d0)))))
(assert (or (not case32) (or (not (= (at2_TI (exchanged_v_1_I i_d0) any_v) (at2_TI (together_v_1_I i_d0) any_v))) (=
  (exchanged_v_1_I i_d0) (together_v_1_I i_d0)))))
(assert (or (not case32) (= (sum1_T (ranks0_2_II i_d0 any_v)) (operation4_IIVV i_d0 any_v (sum1_T (summed0_2_II i_d0
  any_v)) (x1_1_I i_d0)))))
(assert (or (not case32) (not (= (sum1_T (ranks1_1_I i_d0)) (sum1_T (together_v_1_I i_d0))))))

; LIN + in 0 of pick_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case33) (= (sum1_T (ranks0_3_III i_d0 i_d1 i_v)) (operation5_IIIVV i_d0 i_d1 i_v (sum1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case33) (not (= (sum1_T (ranks0_3_III i_d0 i_d1 i_v)) (operation5_IIIVV i_d0 i_d1 i_v (sum1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; LIN + in 0 of embedding_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case34) (= (sum1_T (ranks1_2_II i_h i_v)) (sum1_T (exchanged_d0_2_II i_h i_v)))))
(assert (or (not case34) (= (at2_TI (exchanged_d0_2_II i_h i_v) any_d0) (sum1_T (ranks0_3_III any_d0 i_h i_v)))))
(assert (or (not case34) (= (at2_TI (together_d0_2_II i_h i_v) any_d0) (operation5_IIIVV any_d0 i_h i_v (sum1_T
  (summed0_2_II any_d0 i_h)) (x1_1_I any_d0)))))
(assert (or (not case34) (or (not (= (at2_TI (exchanged_d0_2_II i_h i_v) any_d0) (at2_TI (together_d0_2_II i_h i_v)
  any_d0))) (= (exchanged_d0_2_II i_h i_v) (together_d0_2_II i_h i_v)))))
(assert (or (not case34) (= (sum1_T (ranks0_3_III any_d0 i_h i_v)) (operation5_IIIVV any_d0 i_h i_v (sum1_T
  (summed0_2_II any_d0 i_h)) (x1_1_I any_d0)))))
(assert (or (not case34) (not (= (sum1_T (ranks1_2_II i_h i_v)) (sum1_T (together_d0_2_II i_h i_v))))))

; LIN + in 0 of dropout: the lemmas' instances, and that the claim does not hold.
(assert (or (not case35) (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0
  i_d1))))))
(assert (or (not case35) (not (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II
  i_d0 i_d1)))))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 case11 case12 case13 case14 case15
  case16 case17 case18 case19 case20 case21 case22 case23 case24 case25 case26 case27 case28 case29 case30 case31
  case32 case33 case34 case35))

(check-sat)
