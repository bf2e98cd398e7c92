; Up to the instruction that is not allowed. On 2 x 2 devices: (outer, InsideGroup, ReduceScatter). s1_d2_c3 is what
; device 2 holds of chunk 3 after 1 instruction, bit j for the contribution of device j.
;
; Source: P2 (MLSys 2022), figure 4a, changed
; Sat: the program is valid, and the model is its run.
; Unsat: the program breaks a rule or misses the goal.
; Built by: p2smt.reduction.catalogue.examples.examples
; Status: sat
; Models: 1
; Over: s0_d0_c0 s0_d0_c1 s0_d0_c2 s0_d0_c3 s0_d1_c0 s0_d1_c1 s0_d1_c2 s0_d1_c3 s0_d2_c0 s0_d2_c1 s0_d2_c2 s0_d2_c3
; Over: s0_d3_c0 s0_d3_c1 s0_d3_c2 s0_d3_c3 s1_d0_c0 s1_d0_c1 s1_d0_c2 s1_d0_c3 s1_d1_c0 s1_d1_c1 s1_d1_c2 s1_d1_c3
; Over: s1_d2_c0 s1_d2_c1 s1_d2_c2 s1_d2_c3 s1_d3_c0 s1_d3_c1 s1_d3_c2 s1_d3_c3
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const s0_d0_c0 (_ BitVec 4))
(declare-const s0_d0_c1 (_ BitVec 4))
(declare-const s0_d0_c2 (_ BitVec 4))
(declare-const s0_d0_c3 (_ BitVec 4))
(declare-const s0_d1_c0 (_ BitVec 4))
(declare-const s0_d1_c1 (_ BitVec 4))
(declare-const s0_d1_c2 (_ BitVec 4))
(declare-const s0_d1_c3 (_ BitVec 4))
(declare-const s0_d2_c0 (_ BitVec 4))
(declare-const s0_d2_c1 (_ BitVec 4))
(declare-const s0_d2_c2 (_ BitVec 4))
(declare-const s0_d2_c3 (_ BitVec 4))
(declare-const s0_d3_c0 (_ BitVec 4))
(declare-const s0_d3_c1 (_ BitVec 4))
(declare-const s0_d3_c2 (_ BitVec 4))
(declare-const s0_d3_c3 (_ BitVec 4))
(declare-const s1_d0_c0 (_ BitVec 4))
(declare-const s1_d0_c1 (_ BitVec 4))
(declare-const s1_d0_c2 (_ BitVec 4))
(declare-const s1_d0_c3 (_ BitVec 4))
(declare-const s1_d1_c0 (_ BitVec 4))
(declare-const s1_d1_c1 (_ BitVec 4))
(declare-const s1_d1_c2 (_ BitVec 4))
(declare-const s1_d1_c3 (_ BitVec 4))
(declare-const s1_d2_c0 (_ BitVec 4))
(declare-const s1_d2_c1 (_ BitVec 4))
(declare-const s1_d2_c2 (_ BitVec 4))
(declare-const s1_d2_c3 (_ BitVec 4))
(declare-const s1_d3_c0 (_ BitVec 4))
(declare-const s1_d3_c1 (_ BitVec 4))
(declare-const s1_d3_c2 (_ BitVec 4))
(declare-const s1_d3_c3 (_ BitVec 4))

; Before: every device holds its own contribution.
(assert (= s0_d0_c0 #x1))
(assert (= s0_d0_c1 #x1))
(assert (= s0_d0_c2 #x1))
(assert (= s0_d0_c3 #x1))
(assert (= s0_d1_c0 #x2))
(assert (= s0_d1_c1 #x2))
(assert (= s0_d1_c2 #x2))
(assert (= s0_d1_c3 #x2))
(assert (= s0_d2_c0 #x4))
(assert (= s0_d2_c1 #x4))
(assert (= s0_d2_c2 #x4))
(assert (= s0_d2_c3 #x4))
(assert (= s0_d3_c0 #x8))
(assert (= s0_d3_c1 #x8))
(assert (= s0_d3_c2 #x8))
(assert (= s0_d3_c3 #x8))

; Instruction 1, (outer, InsideGroup, ReduceScatter): allowed in every group.
(define-fun t0 () Bool (distinct s0_d0_c0 #x0))
(define-fun t1 () Bool (distinct s0_d0_c1 #x0))
(define-fun t2 () Bool (distinct s0_d0_c2 #x0))
(define-fun t3 () Bool (distinct s0_d0_c3 #x0))
(define-fun t4 () Bool (and (or t0 t1 t2 t3) (= t0 (distinct s0_d1_c0 #x0)) (= t1 (distinct s0_d1_c1 #x0)) (= t2
  (distinct s0_d1_c2 #x0)) (= t3 (distinct s0_d1_c3 #x0)) (= (bvand s0_d0_c0 s0_d1_c0) #x0) (= (bvand s0_d0_c1
  s0_d1_c1) #x0) (= (bvand s0_d0_c2 s0_d1_c2) #x0) (= (bvand s0_d0_c3 s0_d1_c3) #x0)))
(assert (and t4 (= (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t2 #x01 #x00)) (bvadd (bvadd #x00 (ite t1 #x01 #x00))
  (ite t3 #x01 #x00))) (or t0 t2)))
(define-fun t5 () Bool (distinct s0_d2_c0 #x0))
(define-fun t6 () Bool (distinct s0_d2_c1 #x0))
(define-fun t7 () Bool (distinct s0_d2_c2 #x0))
(define-fun t8 () Bool (distinct s0_d2_c3 #x0))
(define-fun t9 () Bool (and (or t5 t6 t7 t8) (= t5 (distinct s0_d3_c0 #x0)) (= t6 (distinct s0_d3_c1 #x0)) (= t7
  (distinct s0_d3_c2 #x0)) (= t8 (distinct s0_d3_c3 #x0)) (= (bvand s0_d2_c0 s0_d3_c0) #x0) (= (bvand s0_d2_c1
  s0_d3_c1) #x0) (= (bvand s0_d2_c2 s0_d3_c2) #x0) (= (bvand s0_d2_c3 s0_d3_c3) #x0)))
(assert (and t9 (= (bvadd (bvadd #x00 (ite t5 #x01 #x00)) (ite t7 #x01 #x00)) (bvadd (bvadd #x00 (ite t6 #x01 #x00))
  (ite t8 #x01 #x00))) (or t5 t7)))

; What instruction 1 gives.
(assert (= s1_d0_c0 (bvor s0_d0_c0 s0_d1_c0)))
(assert (= #x0 s1_d0_c1))
(assert (= s1_d0_c2 (bvor s0_d0_c2 s0_d1_c2)))
(assert (= #x0 s1_d0_c3))
(assert (= #x0 s1_d1_c0))
(assert (= s1_d1_c1 (bvor s0_d0_c1 s0_d1_c1)))
(assert (= #x0 s1_d1_c2))
(assert (= s1_d1_c3 (bvor s0_d0_c3 s0_d1_c3)))
(assert (= s1_d2_c0 (bvor s0_d2_c0 s0_d3_c0)))
(assert (= #x0 s1_d2_c1))
(assert (= s1_d2_c2 (bvor s0_d2_c2 s0_d3_c2)))
(assert (= #x0 s1_d2_c3))
(assert (= #x0 s1_d3_c0))
(assert (= s1_d3_c1 (bvor s0_d2_c1 s0_d3_c1)))
(assert (= #x0 s1_d3_c2))
(assert (= s1_d3_c3 (bvor s0_d2_c3 s0_d3_c3)))

(check-sat)
