; Whoever has all operands whole computes the whole result. What the proofs assume, all of it at once.
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
(declare-fun any_c () Int)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun any_k2 () Int)
(declare-fun any_m () Int)
(declare-fun any_n () Int)
(declare-fun any_o () Int)
(declare-fun any_v () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun at3_TII (TensorTable Int Int) Value)
(declare-fun i_a () Int)
(declare-fun i_b () Int)
(declare-fun i_c () Int)
(declare-fun i_d () Int)
(declare-fun i_d0 () Int)
(declare-fun i_d1 () Int)
(declare-fun i_e () Int)
(declare-fun i_from0 () Int)
(declare-fun i_from1 () Int)
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
(declare-fun i_row () Int)
(declare-fun i_s () Int)
(declare-fun i_t () Int)
(declare-fun i_to () Int)
(declare-fun i_top () Int)
(declare-fun i_v () Int)
(declare-fun i_w () Int)
(declare-fun largest1_T (TensorTable) Value)
(declare-fun local_c_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_d0_1_I (Int) TensorTable)
(declare-fun local_d0_3_III (Int Int Int) TensorTable)
(declare-fun local_d1_2_II (Int Int) TensorTable)
(declare-fun local_d1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_k2_3_III (Int Int Int) TensorTable)
(declare-fun local_m_3_III (Int Int Int) TensorTable)
(declare-fun local_n_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_o_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row0_3_III (Int Int Int) TensorTable)
(declare-fun local_row0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun local_row0_5_IIIII (Int Int Int Int Int) TensorTable)
(declare-fun local_row0_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_10_IIIIIIIIII (Int Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row1_3_III (Int Int Int) TensorTable)
(declare-fun local_row1_5_IIIII (Int Int Int Int Int) TensorTable)
(declare-fun local_row1_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row2_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_row3_7_IIIIIII (Int Int Int Int Int Int Int) TensorTable)
(declare-fun local_v_2_II (Int Int) TensorTable)
(declare-fun local_v_4_IIII (Int Int Int Int) TensorTable)
(declare-fun operation3_IIV (Int Int Value) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIIV (Int Int Int Int Value) Value)
(declare-fun operation5_IIIVV (Int Int Int Value Value) Value)
(declare-fun operation6_IIIIVV (Int Int Int Int Value Value) Value)
(declare-fun operation7_IIIIITT (Int Int Int Int Int TensorTable TensorTable) Value)
(declare-fun rank () Int)
(declare-fun smallest1_T (TensorTable) Value)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun whole_c_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_d0_ () TensorTable)
(declare-fun whole_d0_2_II (Int Int) TensorTable)
(declare-fun whole_d1_1_I (Int) TensorTable)
(declare-fun whole_d1_3_III (Int Int Int) TensorTable)
(declare-fun whole_k2_2_II (Int Int) TensorTable)
(declare-fun whole_m_2_II (Int Int) TensorTable)
(declare-fun whole_n_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_o_8_IIIIIIII (Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_2_II (Int Int) TensorTable)
(declare-fun whole_row0_3_III (Int Int Int) TensorTable)
(declare-fun whole_row0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun whole_row0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row0_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_2_II (Int Int) TensorTable)
(declare-fun whole_row1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun whole_row1_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row1_9_IIIIIIIII (Int Int Int Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row2_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_row3_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun whole_v_1_I (Int) TensorTable)
(declare-fun whole_v_3_III (Int Int Int) TensorTable)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x0_4_IIII (Int Int Int Int) Value)
(declare-fun x1_1_I (Int) Value)
(declare-fun x1_2_II (Int Int) Value)
(declare-fun x1_4_IIII (Int Int Int Int) Value)
(declare-fun x2_4_IIII (Int Int Int Int) Value)
(declare-fun x3_4_IIII (Int Int Int Int) Value)

; REP of einsum: the lemmas' instances.
(assert (= (at2_TI (local_m_3_III rank i_b i_n) any_m) (operation5_IIIVV i_b any_m i_n (x0_2_II i_b any_m) (x1_2_II
  any_m i_n))))
(assert (= (at2_TI (whole_m_2_II i_b i_n) any_m) (operation5_IIIVV i_b any_m i_n (x0_2_II i_b any_m) (x1_2_II any_m
  i_n))))
(assert (or (not (= (at2_TI (local_m_3_III rank i_b i_n) any_m) (at2_TI (whole_m_2_II i_b i_n) any_m))) (=
  (local_m_3_III rank i_b i_n) (whole_m_2_II i_b i_n))))

; REP of matmul: the lemmas' instances.
(assert (= (at2_TI (local_k2_3_III rank i_m2 i_n2) any_k2) (operation5_IIIVV any_k2 i_m2 i_n2 (x0_2_II i_m2 any_k2)
  (x1_2_II any_k2 i_n2))))
(assert (= (at2_TI (whole_k2_2_II i_m2 i_n2) any_k2) (operation5_IIIVV any_k2 i_m2 i_n2 (x0_2_II i_m2 any_k2)
  (x1_2_II any_k2 i_n2))))
(assert (or (not (= (at2_TI (local_k2_3_III rank i_m2 i_n2) any_k2) (at2_TI (whole_k2_2_II i_m2 i_n2) any_k2))) (=
  (local_k2_3_III rank i_m2 i_n2) (whole_k2_2_II i_m2 i_n2))))

; REP of linear: the lemmas' instances.
(assert (= (at2_TI (local_k2_3_III rank i_a i_n2) any_k2) (operation5_IIIVV i_a any_k2 i_n2 (x0_2_II i_a any_k2)
  (x1_2_II i_n2 any_k2))))
(assert (= (at2_TI (whole_k2_2_II i_a i_n2) any_k2) (operation5_IIIVV i_a any_k2 i_n2 (x0_2_II i_a any_k2) (x1_2_II
  i_n2 any_k2))))
(assert (or (not (= (at2_TI (local_k2_3_III rank i_a i_n2) any_k2) (at2_TI (whole_k2_2_II i_a i_n2) any_k2))) (=
  (local_k2_3_III rank i_a i_n2) (whole_k2_2_II i_a i_n2))))

; REP of conv2d: the lemmas' instances.
(assert (= (at2_TI (local_c_9_IIIIIIIII rank i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (operation7_IIIIITT any_c
  i_n i_o i_oh i_ow (local_row0_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w)
  (local_row1_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (whole_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (operation7_IIIIITT any_c i_n i_o
  i_oh i_ow (whole_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (whole_row1_9_IIIIIIIII any_c i_h
  i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (local_c_9_IIIIIIIII rank i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c) (at2_TI
  (whole_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_c))) (= (local_c_9_IIIIIIIII rank i_h i_kh i_kw i_n
  i_o i_oh i_ow i_w) (whole_c_8_IIIIIIII i_h i_kh i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_0_0 any_0_1)
  (x0_4_IIII i_n any_c any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII
  i_n any_c any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_0_0
  any_0_1) (at3_TII (whole_row0_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_0_0 any_0_1))) (=
  (local_row0_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (whole_row0_9_IIIIIIIII any_c i_h i_kh
  i_kw i_n i_o i_oh i_ow i_w))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_1_0 any_1_1)
  (x1_4_IIII i_o any_c any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_1_0 any_1_1) (x1_4_IIII
  i_o any_c any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank any_c i_h i_kh i_kw i_n i_o i_oh i_ow i_w) (whole_row1_9_IIIIIIIII any_c i_h i_kh
  i_kw i_n i_o i_oh i_ow i_w))))

; REP of conv2d_input_backward: the lemmas' instances.
(assert (= (at2_TI (local_o_9_IIIIIIIII rank i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (operation7_IIIIITT i_c i_h
  i_n any_o i_w (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (local_row1_10_IIIIIIIIII
  rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w))))
(assert (= (at2_TI (whole_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (operation7_IIIIITT i_c i_h i_n
  any_o i_w (whole_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (whole_row1_9_IIIIIIIII i_c i_h i_kh
  i_kw i_n any_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (local_o_9_IIIIIIIII rank i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o) (at2_TI
  (whole_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w) any_o))) (= (local_o_9_IIIIIIIII rank i_c i_h i_kh i_kw
  i_n i_oh i_ow i_w) (whole_o_8_IIIIIIII i_c i_h i_kh i_kw i_n i_oh i_ow i_w))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_0_0 any_0_1)
  (x0_4_IIII i_n any_o any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII
  i_n any_o any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_0_0
  any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_0_0 any_0_1))) (=
  (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (whole_row0_9_IIIIIIIII i_c i_h i_kh
  i_kw i_n any_o i_oh i_ow i_w))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_1_0 any_1_1)
  (x1_4_IIII any_o i_c any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_1_0 any_1_1) (x1_4_IIII
  any_o i_c any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw i_n any_o i_oh i_ow i_w) (whole_row1_9_IIIIIIIII i_c i_h i_kh
  i_kw i_n any_o i_oh i_ow i_w))))

; REP of conv2d_weight_backward: the lemmas' instances.
(assert (= (at2_TI (local_n_9_IIIIIIIII rank i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (operation7_IIIIITT i_c
  i_kh i_kw any_n i_o (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w)
  (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w))))
(assert (= (at2_TI (whole_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (operation7_IIIIITT i_c i_kh i_kw
  any_n i_o (whole_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (whole_row1_9_IIIIIIIII i_c i_h i_kh
  i_kw any_n i_o i_oh i_ow i_w))))
(assert (or (not (= (at2_TI (local_n_9_IIIIIIIII rank i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n) (at2_TI
  (whole_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w) any_n))) (= (local_n_9_IIIIIIIII rank i_c i_h i_kh i_kw
  i_o i_oh i_ow i_w) (whole_n_8_IIIIIIII i_c i_h i_kh i_kw i_o i_oh i_ow i_w))))
(assert (= (at3_TII (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_0_0 any_0_1)
  (x0_4_IIII any_n i_o any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII
  any_n i_o any_0_0 any_0_1)))
(assert (or (not (= (at3_TII (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_0_0
  any_0_1) (at3_TII (whole_row0_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_0_0 any_0_1))) (=
  (local_row0_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (whole_row0_9_IIIIIIIII i_c i_h i_kh
  i_kw any_n i_o i_oh i_ow i_w))))
(assert (= (at3_TII (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_1_0 any_1_1)
  (x1_4_IIII any_n i_c any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_1_0 any_1_1) (x1_4_IIII
  any_n i_c any_1_0 any_1_1)))
(assert (or (not (= (at3_TII (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_1_0
  any_1_1) (at3_TII (whole_row1_9_IIIIIIIII i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) any_1_0 any_1_1))) (=
  (local_row1_10_IIIIIIIIII rank i_c i_h i_kh i_kw any_n i_o i_oh i_ow i_w) (whole_row1_9_IIIIIIIII i_c i_h i_kh
  i_kw any_n i_o i_oh i_ow i_w))))

; REP of add: the lemmas' instances.

; REP of sub: the lemmas' instances.

; REP of mul: the lemmas' instances.

; REP of div: the lemmas' instances.

; REP of neg: the lemmas' instances.

; REP of pow: the lemmas' instances.

; REP of maximum: the lemmas' instances.

; REP of minimum: the lemmas' instances.

; REP of sqrt: the lemmas' instances.

; REP of rsqrt: the lemmas' instances.

; REP of exp: the lemmas' instances.

; REP of silu: the lemmas' instances.

; REP of gt: the lemmas' instances.

; REP of lt: the lemmas' instances.

; REP of where: the lemmas' instances.

; REP of cast: the lemmas' instances.

; REP of sum: the lemmas' instances.
(assert (= (at2_TI (local_d0_1_I rank) any_d0) (sum1_T (local_d1_2_II rank any_d0))))
(assert (= (at2_TI whole_d0_ any_d0) (sum1_T (whole_d1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_1_I rank) any_d0) (at2_TI whole_d0_ any_d0))) (= (local_d0_1_I rank)
  whole_d0_)))
(assert (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (at2_TI (whole_d1_1_I any_d0) any_d1))) (=
  (local_d1_2_II rank any_d0) (whole_d1_1_I any_d0))))

; REP of max: the lemmas' instances.
(assert (= (at2_TI (local_d0_1_I rank) any_d0) (largest1_T (local_d1_2_II rank any_d0))))
(assert (= (at2_TI whole_d0_ any_d0) (largest1_T (whole_d1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_1_I rank) any_d0) (at2_TI whole_d0_ any_d0))) (= (local_d0_1_I rank)
  whole_d0_)))
(assert (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (at2_TI (whole_d1_1_I any_d0) any_d1))) (=
  (local_d1_2_II rank any_d0) (whole_d1_1_I any_d0))))

; REP of min: the lemmas' instances.
(assert (= (at2_TI (local_d0_1_I rank) any_d0) (smallest1_T (local_d1_2_II rank any_d0))))
(assert (= (at2_TI whole_d0_ any_d0) (smallest1_T (whole_d1_1_I any_d0))))
(assert (or (not (= (at2_TI (local_d0_1_I rank) any_d0) (at2_TI whole_d0_ any_d0))) (= (local_d0_1_I rank)
  whole_d0_)))
(assert (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_2_II rank any_d0) any_d1) (at2_TI (whole_d1_1_I any_d0) any_d1))) (=
  (local_d1_2_II rank any_d0) (whole_d1_1_I any_d0))))

; REP of sum_kept: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_one0 i_one1) any_d0) (sum1_T (local_d1_4_IIII rank any_d0 i_one0
  i_one1))))
(assert (= (at2_TI (whole_d0_2_II i_one0 i_one1) any_d0) (sum1_T (whole_d1_3_III any_d0 i_one0 i_one1))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_one0 i_one1) any_d0) (at2_TI (whole_d0_2_II i_one0 i_one1)
  any_d0))) (= (local_d0_3_III rank i_one0 i_one1) (whole_d0_2_II i_one0 i_one1))))
(assert (= (at2_TI (local_d1_4_IIII rank any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_3_III any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII rank any_d0 i_one0 i_one1) any_d1) (at2_TI (whole_d1_3_III any_d0
  i_one0 i_one1) any_d1))) (= (local_d1_4_IIII rank any_d0 i_one0 i_one1) (whole_d1_3_III any_d0 i_one0 i_one1))))

; REP of max_kept: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_one0 i_one1) any_d0) (largest1_T (local_d1_4_IIII rank any_d0 i_one0
  i_one1))))
(assert (= (at2_TI (whole_d0_2_II i_one0 i_one1) any_d0) (largest1_T (whole_d1_3_III any_d0 i_one0 i_one1))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_one0 i_one1) any_d0) (at2_TI (whole_d0_2_II i_one0 i_one1)
  any_d0))) (= (local_d0_3_III rank i_one0 i_one1) (whole_d0_2_II i_one0 i_one1))))
(assert (= (at2_TI (local_d1_4_IIII rank any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_3_III any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII rank any_d0 i_one0 i_one1) any_d1) (at2_TI (whole_d1_3_III any_d0
  i_one0 i_one1) any_d1))) (= (local_d1_4_IIII rank any_d0 i_one0 i_one1) (whole_d1_3_III any_d0 i_one0 i_one1))))

; REP of min_kept: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_one0 i_one1) any_d0) (smallest1_T (local_d1_4_IIII rank any_d0 i_one0
  i_one1))))
(assert (= (at2_TI (whole_d0_2_II i_one0 i_one1) any_d0) (smallest1_T (whole_d1_3_III any_d0 i_one0 i_one1))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_one0 i_one1) any_d0) (at2_TI (whole_d0_2_II i_one0 i_one1)
  any_d0))) (= (local_d0_3_III rank i_one0 i_one1) (whole_d0_2_II i_one0 i_one1))))
(assert (= (at2_TI (local_d1_4_IIII rank any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (x0_2_II any_d0 any_d1))))
(assert (= (at2_TI (whole_d1_3_III any_d0 i_one0 i_one1) any_d1) (operation5_IIIIV any_d0 any_d1 i_one0 i_one1
  (x0_2_II any_d0 any_d1))))
(assert (or (not (= (at2_TI (local_d1_4_IIII rank any_d0 i_one0 i_one1) any_d1) (at2_TI (whole_d1_3_III any_d0
  i_one0 i_one1) any_d1))) (= (local_d1_4_IIII rank any_d0 i_one0 i_one1) (whole_d1_3_III any_d0 i_one0 i_one1))))

; REP of softmax: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))

; REP of softmax_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))
(assert (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (= (at2_TI (whole_row1_2_II i_d0 i_d1) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_3_III rank i_d0 i_d1) any_1_0) (at2_TI (whole_row1_2_II i_d0 i_d1)
  any_1_0))) (= (local_row1_3_III rank i_d0 i_d1) (whole_row1_2_II i_d0 i_d1))))

; REP of cumsum: the lemmas' instances.
(assert (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_2_II i_d0 i_d1) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_3_III rank i_d0 i_d1) any_0_0) (at2_TI (whole_row0_2_II i_d0 i_d1)
  any_0_0))) (= (local_row0_3_III rank i_d0 i_d1) (whole_row0_2_II i_d0 i_d1))))

; REP of topk_values: the lemmas' instances.
(assert (= (at2_TI (local_row0_4_IIII rank i_d0 i_row i_top) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_3_III i_d0 i_row i_top) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_row i_top) any_0_0) (at2_TI (whole_row0_3_III i_d0 i_row
  i_top) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_row i_top) (whole_row0_3_III i_d0 i_row i_top))))

; REP of attention: the lemmas' instances.
(assert (= (at2_TI (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0) (x0_4_IIII i_b i_h i_s any_0_0)))
(assert (= (at2_TI (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0) (x0_4_IIII i_b i_h i_s any_0_0)))
(assert (or (not (= (at2_TI (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0) (at2_TI
  (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0))) (= (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t)
  (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (= (at3_TII (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at2_TI (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0) (x2_4_IIII i_b i_h any_2_0 i_e)))
(assert (= (at2_TI (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0) (x2_4_IIII i_b i_h any_2_0 i_e)))
(assert (or (not (= (at2_TI (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0) (at2_TI
  (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0))) (= (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t)
  (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; REP of attention_query_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1) (x0_4_IIII i_b i_h any_0_0
  any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1) (x0_4_IIII i_b i_h any_0_0
  any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (= (at3_TII (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (x2_4_IIII i_b i_h any_2_0
  any_2_1)))
(assert (= (at3_TII (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (x2_4_IIII i_b i_h any_2_0
  any_2_1)))
(assert (or (not (= (at3_TII (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (at3_TII
  (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1))) (= (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1) (x3_4_IIII i_b i_h any_3_0
  any_3_1)))
(assert (= (at3_TII (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1) (x3_4_IIII i_b i_h any_3_0
  any_3_1)))
(assert (or (not (= (at3_TII (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1) (at3_TII
  (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1))) (= (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; REP of attention_key_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1) (x0_4_IIII i_b i_h any_0_0
  any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1) (x0_4_IIII i_b i_h any_0_0
  any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (= (at3_TII (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (x2_4_IIII i_b i_h any_2_0
  any_2_1)))
(assert (= (at3_TII (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (x2_4_IIII i_b i_h any_2_0
  any_2_1)))
(assert (or (not (= (at3_TII (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (at3_TII
  (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1))) (= (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1) (x3_4_IIII i_b i_h any_3_0
  any_3_1)))
(assert (= (at3_TII (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1) (x3_4_IIII i_b i_h any_3_0
  any_3_1)))
(assert (or (not (= (at3_TII (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1) (at3_TII
  (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t) any_3_0 any_3_1))) (= (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; REP of attention_value_backward: the lemmas' instances.
(assert (= (at2_TI (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0) (x0_4_IIII i_b i_h any_0_0 i_e)))
(assert (= (at2_TI (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0) (x0_4_IIII i_b i_h any_0_0 i_e)))
(assert (or (not (= (at2_TI (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_0_0) (at2_TI
  (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t) any_0_0))) (= (local_row0_7_IIIIIII rank i_b i_d i_e i_h i_s i_t)
  (whole_row0_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (= (at3_TII (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (x1_4_IIII i_b i_h any_1_0
  any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row1_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at3_TII (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (x2_4_IIII i_b i_h any_2_0
  any_2_1)))
(assert (= (at3_TII (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (x2_4_IIII i_b i_h any_2_0
  any_2_1)))
(assert (or (not (= (at3_TII (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1) (at3_TII
  (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t) any_2_0 any_2_1))) (= (local_row2_7_IIIIIII rank i_b i_d i_e i_h i_s
  i_t) (whole_row2_6_IIIIII i_b i_d i_e i_h i_s i_t))))
(assert (= (at2_TI (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_3_0) (x3_4_IIII i_b i_h any_3_0 i_e)))
(assert (= (at2_TI (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t) any_3_0) (x3_4_IIII i_b i_h any_3_0 i_e)))
(assert (or (not (= (at2_TI (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t) any_3_0) (at2_TI
  (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t) any_3_0))) (= (local_row3_7_IIIIIII rank i_b i_d i_e i_h i_s i_t)
  (whole_row3_6_IIIIII i_b i_d i_e i_h i_s i_t))))

; REP of max_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c any_0_0
  any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_c i_h i_n i_oh
  i_ow i_w) (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; REP of max_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c any_0_0
  any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_c i_h i_n i_oh
  i_ow i_w) (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))
(assert (= (at3_TII (local_row1_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_1_0 any_1_1) (x1_4_IIII i_n i_c
  any_1_0 any_1_1)))
(assert (= (at3_TII (whole_row1_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_1_0 any_1_1) (x1_4_IIII i_n i_c any_1_0
  any_1_1)))
(assert (or (not (= (at3_TII (local_row1_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_1_0 any_1_1) (at3_TII
  (whole_row1_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_1_0 any_1_1))) (= (local_row1_7_IIIIIII rank i_c i_h i_n i_oh
  i_ow i_w) (whole_row1_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; REP of adaptive_avg_pool2d: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c any_0_0
  any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_c i_h i_n i_oh
  i_ow i_w) (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; REP of adaptive_avg_pool2d_backward: the lemmas' instances.
(assert (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c
  any_0_0 any_0_1)))
(assert (= (at3_TII (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (x0_4_IIII i_n i_c any_0_0
  any_0_1)))
(assert (or (not (= (at3_TII (local_row0_7_IIIIIII rank i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1) (at3_TII
  (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w) any_0_0 any_0_1))) (= (local_row0_7_IIIIIII rank i_c i_h i_n i_oh
  i_ow i_w) (whole_row0_6_IIIIII i_c i_h i_n i_oh i_ow i_w))))

; REP of transpose: the lemmas' instances.

; REP of reshape: the lemmas' instances.

; REP of cat: the lemmas' instances.
(assert (= (at2_TI (local_row0_5_IIIII rank i_d0 i_from0 i_from1 i_to) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_4_IIII i_d0 i_from0 i_from1 i_to) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_5_IIIII rank i_d0 i_from0 i_from1 i_to) any_0_0) (at2_TI (whole_row0_4_IIII
  i_d0 i_from0 i_from1 i_to) any_0_0))) (= (local_row0_5_IIIII rank i_d0 i_from0 i_from1 i_to) (whole_row0_4_IIII
  i_d0 i_from0 i_from1 i_to))))
(assert (= (at2_TI (local_row1_5_IIIII rank i_d0 i_from0 i_from1 i_to) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (= (at2_TI (whole_row1_4_IIII i_d0 i_from0 i_from1 i_to) any_1_0) (x1_2_II i_d0 any_1_0)))
(assert (or (not (= (at2_TI (local_row1_5_IIIII rank i_d0 i_from0 i_from1 i_to) any_1_0) (at2_TI (whole_row1_4_IIII
  i_d0 i_from0 i_from1 i_to) any_1_0))) (= (local_row1_5_IIIII rank i_d0 i_from0 i_from1 i_to) (whole_row1_4_IIII
  i_d0 i_from0 i_from1 i_to))))

; REP of slice: the lemmas' instances.
(assert (= (at2_TI (local_row0_4_IIII rank i_d0 i_from0 i_to) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (= (at2_TI (whole_row0_3_III i_d0 i_from0 i_to) any_0_0) (x0_2_II i_d0 any_0_0)))
(assert (or (not (= (at2_TI (local_row0_4_IIII rank i_d0 i_from0 i_to) any_0_0) (at2_TI (whole_row0_3_III i_d0
  i_from0 i_to) any_0_0))) (= (local_row0_4_IIII rank i_d0 i_from0 i_to) (whole_row0_3_III i_d0 i_from0 i_to))))

; REP of embedding: the lemmas' instances.
(assert (= (at2_TI (local_v_4_IIII rank i_d0 i_d1 i_h) any_v) (operation6_IIIIVV i_d0 i_d1 i_h any_v (x0_2_II any_v
  i_h) (x1_2_II i_d0 i_d1))))
(assert (= (at2_TI (whole_v_3_III i_d0 i_d1 i_h) any_v) (operation6_IIIIVV i_d0 i_d1 i_h any_v (x0_2_II any_v i_h)
  (x1_2_II i_d0 i_d1))))
(assert (or (not (= (at2_TI (local_v_4_IIII rank i_d0 i_d1 i_h) any_v) (at2_TI (whole_v_3_III i_d0 i_d1 i_h)
  any_v))) (= (local_v_4_IIII rank i_d0 i_d1 i_h) (whole_v_3_III i_d0 i_d1 i_h))))

; REP of pick: the lemmas' instances.
(assert (= (at2_TI (local_v_2_II rank i_d0) any_v) (operation4_IIVV i_d0 any_v (x0_2_II i_d0 any_v) (x1_1_I i_d0))))
(assert (= (at2_TI (whole_v_1_I i_d0) any_v) (operation4_IIVV i_d0 any_v (x0_2_II i_d0 any_v) (x1_1_I i_d0))))
(assert (or (not (= (at2_TI (local_v_2_II rank i_d0) any_v) (at2_TI (whole_v_1_I i_d0) any_v))) (= (local_v_2_II
  rank i_d0) (whole_v_1_I i_d0))))

; REP of one_hot: the lemmas' instances.

; REP of pick_backward: the lemmas' instances.

; REP of embedding_backward: the lemmas' instances.
(assert (= (at2_TI (local_d0_3_III rank i_h i_v) any_d0) (operation5_IIIVV any_d0 i_h i_v (x0_2_II any_d0 i_h)
  (x1_1_I any_d0))))
(assert (= (at2_TI (whole_d0_2_II i_h i_v) any_d0) (operation5_IIIVV any_d0 i_h i_v (x0_2_II any_d0 i_h) (x1_1_I
  any_d0))))
(assert (or (not (= (at2_TI (local_d0_3_III rank i_h i_v) any_d0) (at2_TI (whole_d0_2_II i_h i_v) any_d0))) (=
  (local_d0_3_III rank i_h i_v) (whole_d0_2_II i_h i_v))))

; REP of dropout: the lemmas' instances.

; REP of update: the lemmas' instances.

(check-sat)
