; Each conversion leads from the layout it needs to the one it makes. Tensors of any size, cut in any way, on any
; number of ranks; a case per claim.
;
; Source: the layouts of tensor programs
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.tensor.rules.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun after_2_II (Int Int) TensorTable)
(declare-fun alone_2_II (Int Int) TensorTable)
(declare-fun any_rank () Int)
(declare-fun any_rank_after () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun beyond3_III (Int Int Int) Value)
(declare-fun brought_2_II (Int Int) TensorTable)
(declare-fun case0 () Bool)
(declare-fun case1 () Bool)
(declare-fun case10 () Bool)
(declare-fun case11 () Bool)
(declare-fun case12 () Bool)
(declare-fun case13 () Bool)
(declare-fun case14 () Bool)
(declare-fun case15 () Bool)
(declare-fun case2 () Bool)
(declare-fun case3 () Bool)
(declare-fun case4 () Bool)
(declare-fun case5 () Bool)
(declare-fun case6 () Bool)
(declare-fun case7 () Bool)
(declare-fun case8 () Bool)
(declare-fun case9 () Bool)
(declare-fun i0 () Int)
(declare-fun i1 () Int)
(declare-fun largest1_T (TensorTable) Value)
(declare-fun new_owner__I (Int) Int)
(declare-fun nothing_sum () Value)
(declare-fun old_owner__I (Int) Int)
(declare-fun previous__I (Int) Int)
(declare-fun rank () Int)
(declare-fun root () Int)
(declare-fun share3_III (Int Int Int) Value)
(declare-fun shares_2_II (Int Int) TensorTable)
(declare-fun smallest1_T (TensorTable) Value)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun unknown3_III (Int Int Int) Value)
(declare-fun x2_II (Int Int) Value)

; AllReduce partial sum replicated: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case0) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case0) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case0) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case0) (not (= (sum1_T (brought_2_II i0 i1)) (sum1_T (shares_2_II i0 i1))))))

; AllReduce partial largest replicated: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case1) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case1) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case1) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case1) (not (= (largest1_T (brought_2_II i0 i1)) (largest1_T (shares_2_II i0 i1))))))

; AllReduce partial smallest replicated: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case2) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case2) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case2) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case2) (not (= (smallest1_T (brought_2_II i0 i1)) (smallest1_T (shares_2_II i0 i1))))))

; ReduceScatter partial sum sliced 0: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case3) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case3) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case3) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case3) (not (or (not (= (new_owner__I i0) rank)) (= (ite (= (new_owner__I i0) rank) (sum1_T
  (brought_2_II i0 i1)) (unknown3_III rank i0 i1)) (sum1_T (shares_2_II i0 i1)))))))

; ReduceScatter partial largest sliced 0: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case4) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case4) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case4) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case4) (not (or (not (= (new_owner__I i0) rank)) (= (ite (= (new_owner__I i0) rank) (largest1_T
  (brought_2_II i0 i1)) (unknown3_III rank i0 i1)) (largest1_T (shares_2_II i0 i1)))))))

; ReduceScatter partial smallest sliced 0: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case5) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case5) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case5) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case5) (not (or (not (= (new_owner__I i0) rank)) (= (ite (= (new_owner__I i0) rank) (smallest1_T
  (brought_2_II i0 i1)) (unknown3_III rank i0 i1)) (smallest1_T (shares_2_II i0 i1)))))))

; AllGather sliced 0 replicated: the lemmas' instances, and that the claim does not hold.
(assert (or (not case6) (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1)
  (beyond3_III any_rank i0 i1)))))
(assert (or (not case6) (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1)
  (beyond3_III any_rank i0 i1)))))
(assert (or (not case6) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case6) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case6) (not (= (ite (= (old_owner__I i0) (old_owner__I i0)) (x2_II i0 i1) (beyond3_III
  (old_owner__I i0) i0 i1)) (x2_II i0 i1)))))

; AllToAll sliced 0 sliced 1: the lemmas' instances, and that the claim does not hold.
(assert (or (not case7) (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1)
  (beyond3_III any_rank i0 i1)))))
(assert (or (not case7) (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1)
  (beyond3_III any_rank i0 i1)))))
(assert (or (not case7) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case7) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case7) (not (or (not (= (new_owner__I i1) rank)) (= (ite (= (new_owner__I i1) rank) (ite (=
  (old_owner__I i0) (old_owner__I i0)) (x2_II i0 i1) (beyond3_III (old_owner__I i0) i0 i1)) (unknown3_III rank i0
  i1)) (x2_II i0 i1))))))

; Rebalance sliced 0 sliced 0: the lemmas' instances, and that the claim does not hold.
(assert (or (not case8) (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1)
  (beyond3_III any_rank i0 i1)))))
(assert (or (not case8) (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1)
  (beyond3_III any_rank i0 i1)))))
(assert (or (not case8) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case8) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case8) (not (or (not (= (new_owner__I i0) rank)) (= (ite (= (new_owner__I i0) rank) (ite (=
  (old_owner__I i0) (old_owner__I i0)) (x2_II i0 i1) (beyond3_III (old_owner__I i0) i0 i1)) (unknown3_III rank i0
  i1)) (x2_II i0 i1))))))

; Reduce partial sum onrank: the lemmas' instances, and that the claim does not hold.
(assert (or (not case9) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case9) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case9) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case9) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case9) (not (or (not (= rank root)) (= (ite (= rank root) (sum1_T (brought_2_II i0 i1))
  (unknown3_III rank i0 i1)) (sum1_T (shares_2_II i0 i1)))))))

; Reduce partial largest onrank: the lemmas' instances, and that the claim does not hold.
(assert (or (not case10) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case10) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case10) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case10) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case10) (not (or (not (= rank root)) (= (ite (= rank root) (largest1_T (brought_2_II i0 i1))
  (unknown3_III rank i0 i1)) (largest1_T (shares_2_II i0 i1)))))))

; Reduce partial smallest onrank: the lemmas' instances, and that the claim does not hold.
(assert (or (not case11) (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case11) (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1))))
(assert (or (not case11) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case11) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case11) (not (or (not (= rank root)) (= (ite (= rank root) (smallest1_T (brought_2_II i0 i1))
  (unknown3_III rank i0 i1)) (smallest1_T (shares_2_II i0 i1)))))))

; Broadcast onrank replicated: the lemmas' instances, and that the claim does not hold.
(assert (or (not case12) (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1)))))
(assert (or (not case12) (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1)))))
(assert (or (not case12) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case12) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case12) (not (= (ite (= root root) (x2_II i0 i1) (beyond3_III root i0 i1)) (x2_II i0 i1)))))

; Send onrank onrank: the lemmas' instances, and that the claim does not hold.
(assert (or (not case13) (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1)))))
(assert (or (not case13) (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1)))))
(assert (or (not case13) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case13) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case13) (not (or (not (= rank (- root (- 1)))) (= (ite (= (previous__I rank) root) (x2_II i0 i1)
  (beyond3_III (previous__I rank) i0 i1)) (x2_II i0 i1))))))

; Slice replicated sliced 0: the lemmas' instances, and that the claim does not hold.
(assert (or (not case14) (= (at2_TI (brought_2_II i0 i1) any_rank) (x2_II i0 i1))))
(assert (or (not case14) (= (at2_TI (shares_2_II i0 i1) any_rank) (x2_II i0 i1))))
(assert (or (not case14) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case14) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case14) (not (or (not (= (new_owner__I i0) rank)) (= (ite (= (new_owner__I i0) rank) (x2_II i0 i1)
  (unknown3_III rank i0 i1)) (x2_II i0 i1))))))

; Keep replicated partial sum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case15) (= (at2_TI (brought_2_II i0 i1) any_rank) (x2_II i0 i1))))
(assert (or (not case15) (= (at2_TI (shares_2_II i0 i1) any_rank) (x2_II i0 i1))))
(assert (or (not case15) (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank)))
  (= (brought_2_II i0 i1) (shares_2_II i0 i1)))))
(assert (or (not case15) (= (- (previous__I rank) (- 1)) rank)))
(assert (or (not case15) (= (at2_TI (after_2_II i0 i1) any_rank_after) (ite (= any_rank_after root) (x2_II i0 i1)
  nothing_sum))))
(assert (or (not case15) (= (at2_TI (alone_2_II i0 i1) any_rank_after) (ite (= any_rank_after root) (x2_II i0 i1)
  nothing_sum))))
(assert (or (not case15) (or (not (= (at2_TI (after_2_II i0 i1) any_rank_after) (at2_TI (alone_2_II i0 i1)
  any_rank_after))) (= (after_2_II i0 i1) (alone_2_II i0 i1)))))
(assert (or (not case15) (= (sum1_T (alone_2_II i0 i1)) (x2_II i0 i1))))
(assert (or (not case15) (not (= (sum1_T (after_2_II i0 i1)) (x2_II i0 i1)))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 case11 case12 case13 case14 case15))

(check-sat)
