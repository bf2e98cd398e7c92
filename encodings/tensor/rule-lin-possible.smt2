; Sums over ranks pass through an operation that is linear in the operand that is a summand. What the proofs assume,
; all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
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

; LIN + in 0 of einsum: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_b i_n)) (sum1_T (exchanged_m_2_II i_b i_n))))
(assert (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (sum1_T (ranks0_3_III i_b any_m i_n))))
(assert (= (at2_TI (together_m_2_II i_b i_n) any_m) (operation5_IIIVV i_b any_m i_n (sum1_T (summed0_2_II i_b
  any_m)) (x1_2_II any_m i_n))))
(assert (or (not (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (at2_TI (together_m_2_II i_b i_n) any_m))) (=
  (exchanged_m_2_II i_b i_n) (together_m_2_II i_b i_n))))
(assert (= (sum1_T (ranks0_3_III i_b any_m i_n)) (operation5_IIIVV i_b any_m i_n (sum1_T (summed0_2_II i_b any_m))
  (x1_2_II any_m i_n))))

; LIN + in 1 of einsum: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_b i_n)) (sum1_T (exchanged_m_2_II i_b i_n))))
(assert (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (sum1_T (ranks0_3_III i_b any_m i_n))))
(assert (= (at2_TI (together_m_2_II i_b i_n) any_m) (operation5_IIIVV i_b any_m i_n (x0_2_II i_b any_m) (sum1_T
  (summed1_2_II any_m i_n)))))
(assert (or (not (= (at2_TI (exchanged_m_2_II i_b i_n) any_m) (at2_TI (together_m_2_II i_b i_n) any_m))) (=
  (exchanged_m_2_II i_b i_n) (together_m_2_II i_b i_n))))
(assert (= (sum1_T (ranks0_3_III i_b any_m i_n)) (operation5_IIIVV i_b any_m i_n (x0_2_II i_b any_m) (sum1_T
  (summed1_2_II any_m i_n)))))

; LIN + in 0 of matmul: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_m2 i_n2)) (sum1_T (exchanged_k2_2_II i_m2 i_n2))))
(assert (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (sum1_T (ranks0_3_III any_k2 i_m2 i_n2))))
(assert (= (at2_TI (together_k2_2_II i_m2 i_n2) any_k2) (operation5_IIIVV any_k2 i_m2 i_n2 (sum1_T (summed0_2_II
  i_m2 any_k2)) (x1_2_II any_k2 i_n2))))
(assert (or (not (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (at2_TI (together_k2_2_II i_m2 i_n2) any_k2))) (=
  (exchanged_k2_2_II i_m2 i_n2) (together_k2_2_II i_m2 i_n2))))
(assert (= (sum1_T (ranks0_3_III any_k2 i_m2 i_n2)) (operation5_IIIVV any_k2 i_m2 i_n2 (sum1_T (summed0_2_II i_m2
  any_k2)) (x1_2_II any_k2 i_n2))))

; LIN + in 1 of matmul: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_m2 i_n2)) (sum1_T (exchanged_k2_2_II i_m2 i_n2))))
(assert (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (sum1_T (ranks0_3_III any_k2 i_m2 i_n2))))
(assert (= (at2_TI (together_k2_2_II i_m2 i_n2) any_k2) (operation5_IIIVV any_k2 i_m2 i_n2 (x0_2_II i_m2 any_k2)
  (sum1_T (summed1_2_II any_k2 i_n2)))))
(assert (or (not (= (at2_TI (exchanged_k2_2_II i_m2 i_n2) any_k2) (at2_TI (together_k2_2_II i_m2 i_n2) any_k2))) (=
  (exchanged_k2_2_II i_m2 i_n2) (together_k2_2_II i_m2 i_n2))))
(assert (= (sum1_T (ranks0_3_III any_k2 i_m2 i_n2)) (operation5_IIIVV any_k2 i_m2 i_n2 (x0_2_II i_m2 any_k2) (sum1_T
  (summed1_2_II any_k2 i_n2)))))

; LIN + in 0 of linear: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_a i_n2)) (sum1_T (exchanged_k2_2_II i_a i_n2))))
(assert (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (sum1_T (ranks0_3_III i_a any_k2 i_n2))))
(assert (= (at2_TI (together_k2_2_II i_a i_n2) any_k2) (operation5_IIIVV i_a any_k2 i_n2 (sum1_T (summed0_2_II i_a
  any_k2)) (x1_2_II i_n2 any_k2))))
(assert (or (not (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (at2_TI (together_k2_2_II i_a i_n2) any_k2))) (=
  (exchanged_k2_2_II i_a i_n2) (together_k2_2_II i_a i_n2))))
(assert (= (sum1_T (ranks0_3_III i_a any_k2 i_n2)) (operation5_IIIVV i_a any_k2 i_n2 (sum1_T (summed0_2_II i_a
  any_k2)) (x1_2_II i_n2 any_k2))))

; LIN + in 1 of linear: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_a i_n2)) (sum1_T (exchanged_k2_2_II i_a i_n2))))
(assert (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (sum1_T (ranks0_3_III i_a any_k2 i_n2))))
(assert (= (at2_TI (together_k2_2_II i_a i_n2) any_k2) (operation5_IIIVV i_a any_k2 i_n2 (x0_2_II i_a any_k2)
  (sum1_T (summed1_2_II i_n2 any_k2)))))
(assert (or (not (= (at2_TI (exchanged_k2_2_II i_a i_n2) any_k2) (at2_TI (together_k2_2_II i_a i_n2) any_k2))) (=
  (exchanged_k2_2_II i_a i_n2) (together_k2_2_II i_a i_n2))))
(assert (= (sum1_T (ranks0_3_III i_a any_k2 i_n2)) (operation5_IIIVV i_a any_k2 i_n2 (x0_2_II i_a any_k2) (sum1_T
  (summed1_2_II i_n2 any_k2)))))

; LIN + in 0 of conv2d: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (sum1_T (exchanged_c_8_IIIIIIII i_h i_kh
  i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (sum1_T (ranks0_9_IIIIIIIII
  any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (operation7_IIIIITT any_c i_n
  i_o i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII
  any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (at2_TI
  (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c))) (= (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n
  i_o i_oh i_ow i_w) (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (operation7_IIIIITT any_c i_n i_o
  i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII any_c
  i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))

; LIN + in 1 of conv2d: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (sum1_T (exchanged_c_8_IIIIIIII i_h i_kh
  i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (sum1_T (ranks0_9_IIIIIIIII
  any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (operation7_IIIIITT any_c i_n
  i_o i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII
  any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (at2_TI
  (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c))) (= (exchanged_c_8_IIIIIIII i_h i_kh i_kw i_n
  i_o i_oh i_ow i_w) (together_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)) (operation7_IIIIITT any_c i_n i_o
  i_oh i_ow (together_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII any_c
  i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))

; LIN + in 0 of conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)) (sum1_T (exchanged_o_8_IIIIIIII i_c i_h
  i_kh i_kw i_n i_oh i_ow i_w))))
(assert (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (sum1_T (ranks0_9_IIIIIIIII
  i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w))))
(assert (= (at2_TI (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (operation7_IIIIITT i_c i_h
  i_n any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII i_c
  i_h i_kh i_kw i_n any_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (at2_TI
  (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o))) (= (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw
  i_n i_oh i_ow i_w) (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)) (operation7_IIIIITT i_c i_h i_n
  any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII i_c i_h
  i_kh i_kw i_n any_o i_oh i_ow i_w))))

; LIN + in 1 of conv2d_input_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w)) (sum1_T (exchanged_o_8_IIIIIIII i_c i_h
  i_kh i_kw i_n i_oh i_ow i_w))))
(assert (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (sum1_T (ranks0_9_IIIIIIIII
  i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w))))
(assert (= (at2_TI (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (operation7_IIIIITT i_c i_h
  i_n any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII i_c
  i_h i_kh i_kw i_n any_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (at2_TI
  (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o))) (= (exchanged_o_8_IIIIIIII i_c i_h i_kh i_kw
  i_n i_oh i_ow i_w) (together_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w)) (operation7_IIIIITT i_c i_h i_n
  any_o i_w (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII i_c i_h
  i_kh i_kw i_n any_o i_oh i_ow i_w))))

; LIN + in 0 of conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)) (sum1_T (exchanged_n_8_IIIIIIII i_c i_h
  i_kh i_kw i_o i_oh i_ow i_w))))
(assert (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (sum1_T (ranks0_9_IIIIIIIII
  i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (operation7_IIIIITT i_c i_kh
  i_kw any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII
  i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (at2_TI
  (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n))) (= (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw
  i_o i_oh i_ow i_w) (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)) (operation7_IIIIITT i_c i_kh i_kw
  any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII i_c i_h
  i_kh i_kw any_n i_o i_oh i_ow i_w))))

; LIN + in 1 of conv2d_weight_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w)) (sum1_T (exchanged_n_8_IIIIIIII i_c i_h
  i_kh i_kw i_o i_oh i_ow i_w))))
(assert (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (sum1_T (ranks0_9_IIIIIIIII
  i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (operation7_IIIIITT i_c i_kh
  i_kw any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII
  i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (at2_TI
  (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n))) (= (exchanged_n_8_IIIIIIII i_c i_h i_kh i_kw
  i_o i_oh i_ow i_w) (together_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w))))
(assert (= (sum1_T (ranks0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)) (operation7_IIIIITT i_c i_kh i_kw
  any_n i_o (together_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (together_row1_9_IIIIIIIII i_c i_h
  i_kh i_kw any_n i_o i_oh i_ow i_w))))

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
(assert (= (sum1_T (ranks2_2_II i_one0 i_one1)) (sum1_T (exchanged_d0_2_II i_one0 i_one1))))
(assert (= (at2_TI (exchanged_d0_2_II i_one0 i_one1) any_d0) (sum1_T (ranks1_3_III any_d0 i_one0 i_one1))))
(assert (= (at2_TI (together_d0_2_II i_one0 i_one1) any_d0) (sum1_T (together_d1_3_III any_d0 i_one0 i_one1))))
(assert (or (not (= (at2_TI (exchanged_d0_2_II i_one0 i_one1) any_d0) (at2_TI (together_d0_2_II i_one0 i_one1)
  any_d0))) (= (exchanged_d0_2_II i_one0 i_one1) (together_d0_2_II i_one0 i_one1))))
(assert (= (sum1_T (ranks1_3_III any_d0 i_one0 i_one1)) (sum1_T (exchanged_d1_3_III any_d0 i_one0 i_one1))))
(assert (= (at2_TI (exchanged_d1_3_III any_d0 i_one0 i_one1) any_d1) (sum1_T (ranks0_4_IIII any_d0 any_d1 i_one0
  i_one1))))
(assert (= (at2_TI (together_d1_3_III any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (sum1_T (summed0_2_II any_d0 any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_one0 i_one1) any_d1) (at2_TI (together_d1_3_III any_d0
  i_one0 i_one1) any_d1))) (= (exchanged_d1_3_III any_d0 i_one0 i_one1) (together_d1_3_III any_d0 i_one0 i_one1))))
(assert (= (sum1_T (ranks0_4_IIII any_d0 any_d1 i_one0 i_one1)) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (sum1_T (summed0_2_II any_d0 any_d1)))))

; LIN + in 0 of softmax_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation4_IITT i_d0 i_d1 (together_row0_2_II i_d0 i_d1)
  (together_row1_2_II i_d0 i_d1))))

; LIN + in 0 of cumsum: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIT i_d0 i_d1 (together_row0_2_II i_d0 i_d1))))

; LIN + in 2 of attention: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation7_IIIITTT i_b i_e i_h i_s
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; LIN + in 0 of attention_query_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_d i_h i_s
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; LIN + in 0 of attention_key_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_d i_h i_t
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; LIN + in 0 of attention_value_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_b i_d i_e i_h i_s i_t)) (operation8_IIIITTTT i_b i_e i_h i_t
  (together_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row1_6_IIIIII i_b i_d i_e i_h i_s i_t)
  (together_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) (together_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; LIN + in 0 of max_pool2d_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation6_IIIITT i_c i_h i_n i_w
  (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) (together_row1_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; LIN + in 0 of adaptive_avg_pool2d: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation5_IIIIT i_c i_n i_oh i_ow
  (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; LIN + in 0 of adaptive_avg_pool2d_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_6_IIIIII i_c i_h i_n i_oh i_ow i_w)) (operation5_IIIIT i_c i_h i_n i_w
  (together_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; LIN + in 0 of transpose: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)))))

; LIN + in 0 of reshape: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_g0 i_g1)) (operation3_IIV i_g0 i_g1 (sum1_T (summed0_2_II i_g0 i_g1)))))

; LIN + in 0 of slice: the lemmas' instances.
(assert (= (sum1_T (ranks0_3_III i_d0 i_from0 i_to)) (operation3_IIT i_d0 i_to (together_row0_3_III i_d0 i_from0
  i_to))))

; LIN + in 0 of embedding: the lemmas' instances.
(assert (= (sum1_T (ranks1_3_III i_d0 i_d1 i_h)) (sum1_T (exchanged_v_3_III i_d0 i_d1 i_h))))
(assert (= (at2_TI (exchanged_v_3_III i_d0 i_d1 i_h) any_v) (sum1_T (ranks0_4_IIII i_d0 i_d1 i_h any_v))))
(assert (= (at2_TI (together_v_3_III i_d0 i_d1 i_h) any_v) (operation6_IIIIVV i_d0 i_d1 i_h any_v (sum1_T
  (summed0_2_II any_v i_h)) (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (exchanged_v_3_III i_d0 i_d1 i_h) any_v) (at2_TI (together_v_3_III i_d0 i_d1 i_h)
  any_v))) (= (exchanged_v_3_III i_d0 i_d1 i_h) (together_v_3_III i_d0 i_d1 i_h))))
(assert (= (sum1_T (ranks0_4_IIII i_d0 i_d1 i_h any_v)) (operation6_IIIIVV i_d0 i_d1 i_h any_v (sum1_T (summed0_2_II
  any_v i_h)) (x1_2_II i_d0 i_d1))))

; LIN + in 0 of pick: the lemmas' instances.
(assert (= (sum1_T (ranks1_1_I i_d0)) (sum1_T (exchanged_v_1_I i_d0))))
(assert (= (at2_TI (exchanged_v_1_I i_d0) any_v) (sum1_T (ranks0_2_II i_d0 any_v))))
(assert (= (at2_TI (together_v_1_I i_d0) any_v) (operation4_IIVV i_d0 any_v (sum1_T (summed0_2_II i_d0 any_v))
  (x1_1_I i_d0))))
(assert (or (not (= (at2_TI (exchanged_v_1_I i_d0) any_v) (at2_TI (together_v_1_I i_d0) any_v))) (= (exchanged_v_1_I
  i_d0) (together_v_1_I i_d0))))
(assert (= (sum1_T (ranks0_2_II i_d0 any_v)) (operation4_IIVV i_d0 any_v (sum1_T (summed0_2_II i_d0 any_v)) (x1_1_I
  i_d0))))

; LIN + in 0 of pick_backward: the lemmas' instances.
(assert (= (sum1_T (ranks0_3_III i_d0 i_d1 i_v)) (operation5_IIIVV i_d0 i_d1 i_v (sum1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; LIN + in 0 of embedding_backward: the lemmas' instances.
(assert (= (sum1_T (ranks1_2_II i_h i_v)) (sum1_T (exchanged_d0_2_II i_h i_v))))
(assert (= (at2_TI (exchanged_d0_2_II i_h i_v) any_d0) (sum1_T (ranks0_3_III any_d0 i_h i_v))))
(assert (= (at2_TI (together_d0_2_II i_h i_v) any_d0) (operation5_IIIVV any_d0 i_h i_v (sum1_T (summed0_2_II any_d0
  i_h)) (x1_1_I any_d0))))
(assert (or (not (= (at2_TI (exchanged_d0_2_II i_h i_v) any_d0) (at2_TI (together_d0_2_II i_h i_v) any_d0))) (=
  (exchanged_d0_2_II i_h i_v) (together_d0_2_II i_h i_v))))
(assert (= (sum1_T (ranks0_3_III any_d0 i_h i_v)) (operation5_IIIVV any_d0 i_h i_v (sum1_T (summed0_2_II any_d0
  i_h)) (x1_1_I any_d0))))

; LIN + in 0 of dropout: the lemmas' instances.
(assert (= (sum1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (sum1_T (summed0_2_II i_d0 i_d1)))))

(check-sat)
