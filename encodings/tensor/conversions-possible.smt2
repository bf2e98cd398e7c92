; Each conversion leads from the layout it needs to the one it makes. The assumptions of the proofs, all at once.
;
; Source: the layouts of tensor programs
; Sat: the assumptions can hold together.
; Unsat: the proofs are vacuous.
; Built by: p2smt.tensor.rules.catalogue.all_scripts
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun after_2_II (Int Int) TensorTable)
(declare-fun alone_2_II (Int Int) TensorTable)
(declare-fun any_rank () Int)
(declare-fun any_rank_after () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun beyond3_III (Int Int Int) Value)
(declare-fun brought_2_II (Int Int) TensorTable)
(declare-fun i0 () Int)
(declare-fun i1 () Int)
(declare-fun nothing_sum () Value)
(declare-fun old_owner__I (Int) Int)
(declare-fun previous__I (Int) Int)
(declare-fun rank () Int)
(declare-fun root () Int)
(declare-fun share3_III (Int Int Int) Value)
(declare-fun shares_2_II (Int Int) TensorTable)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun x2_II (Int Int) Value)

; AllReduce partial sum replicated: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; AllReduce partial largest replicated: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; AllReduce partial smallest replicated: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; ReduceScatter partial sum sliced 0: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; ReduceScatter partial largest sliced 0: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; ReduceScatter partial smallest sliced 0: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; AllGather sliced 0 replicated: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1))))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1))))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; AllToAll sliced 0 sliced 1: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1))))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1))))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Rebalance sliced 0 sliced 0: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1))))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= (old_owner__I i0) any_rank) (x2_II i0 i1) (beyond3_III
  any_rank i0 i1))))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Reduce partial sum onrank: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Reduce partial largest onrank: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Reduce partial smallest onrank: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (share3_III any_rank i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Broadcast onrank replicated: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III any_rank i0
  i1))))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III any_rank i0
  i1))))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Send onrank onrank: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III any_rank i0
  i1))))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (ite (= any_rank root) (x2_II i0 i1) (beyond3_III any_rank i0
  i1))))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Slice replicated sliced 0: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (x2_II i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (x2_II i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))

; Keep replicated partial sum: the lemmas' instances.
(assert (= (at2_TI (brought_2_II i0 i1) any_rank) (x2_II i0 i1)))
(assert (= (at2_TI (shares_2_II i0 i1) any_rank) (x2_II i0 i1)))
(assert (or (not (= (at2_TI (brought_2_II i0 i1) any_rank) (at2_TI (shares_2_II i0 i1) any_rank))) (= (brought_2_II
  i0 i1) (shares_2_II i0 i1))))
(assert (= (- (previous__I rank) (- 1)) rank))
(assert (= (at2_TI (after_2_II i0 i1) any_rank_after) (ite (= any_rank_after root) (x2_II i0 i1) nothing_sum)))
(assert (= (at2_TI (alone_2_II i0 i1) any_rank_after) (ite (= any_rank_after root) (x2_II i0 i1) nothing_sum)))
(assert (or (not (= (at2_TI (after_2_II i0 i1) any_rank_after) (at2_TI (alone_2_II i0 i1) any_rank_after))) (=
  (after_2_II i0 i1) (alone_2_II i0 i1))))
(assert (= (sum1_T (alone_2_II i0 i1)) (x2_II i0 i1)))

(check-sat)
