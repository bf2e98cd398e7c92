; ReduceScatter is refused where a member holds no chunk. A group of 3 members, 6 chunks, 6 contributors; m1_c0 is
; what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 6))
(declare-const m0_c1 (_ BitVec 6))
(declare-const m0_c2 (_ BitVec 6))
(declare-const m0_c3 (_ BitVec 6))
(declare-const m0_c4 (_ BitVec 6))
(declare-const m0_c5 (_ BitVec 6))
(declare-const m1_c0 (_ BitVec 6))
(declare-const m1_c1 (_ BitVec 6))
(declare-const m1_c2 (_ BitVec 6))
(declare-const m1_c3 (_ BitVec 6))
(declare-const m1_c4 (_ BitVec 6))
(declare-const m1_c5 (_ BitVec 6))
(declare-const m2_c0 (_ BitVec 6))
(declare-const m2_c1 (_ BitVec 6))
(declare-const m2_c2 (_ BitVec 6))
(declare-const m2_c3 (_ BitVec 6))
(declare-const m2_c4 (_ BitVec 6))
(declare-const m2_c5 (_ BitVec 6))

; ReduceScatter is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b000000))
(define-fun t1 () Bool (distinct m0_c1 #b000000))
(define-fun t2 () Bool (distinct m0_c2 #b000000))
(define-fun t3 () Bool (distinct m0_c3 #b000000))
(define-fun t4 () Bool (distinct m0_c4 #b000000))
(define-fun t5 () Bool (distinct m0_c5 #b000000))
(define-fun t6 () Bool (distinct m1_c0 #b000000))
(define-fun t7 () Bool (distinct m1_c1 #b000000))
(define-fun t8 () Bool (distinct m1_c2 #b000000))
(define-fun t9 () Bool (distinct m1_c3 #b000000))
(define-fun t10 () Bool (distinct m1_c4 #b000000))
(define-fun t11 () Bool (distinct m1_c5 #b000000))
(define-fun t12 () Bool (and (or t0 t1 t2 t3 t4 t5) (= t0 t6) (= t1 t7) (= t2 t8) (= t3 t9) (= t4 t10) (= t5 t11) (=
  t6 (distinct m2_c0 #b000000)) (= t7 (distinct m2_c1 #b000000)) (= t8 (distinct m2_c2 #b000000)) (= t9 (distinct
  m2_c3 #b000000)) (= t10 (distinct m2_c4 #b000000)) (= t11 (distinct m2_c5 #b000000)) (= (bvand m0_c0 m1_c0)
  #b000000) (= (bvand m0_c1 m1_c1) #b000000) (= (bvand m0_c2 m1_c2) #b000000) (= (bvand m0_c3 m1_c3) #b000000) (=
  (bvand m0_c4 m1_c4) #b000000) (= (bvand m0_c5 m1_c5) #b000000) (= (bvand (bvor m0_c0 m1_c0) m2_c0) #b000000) (=
  (bvand (bvor m0_c1 m1_c1) m2_c1) #b000000) (= (bvand (bvor m0_c2 m1_c2) m2_c2) #b000000) (= (bvand (bvor m0_c3
  m1_c3) m2_c3) #b000000) (= (bvand (bvor m0_c4 m1_c4) m2_c4) #b000000) (= (bvand (bvor m0_c5 m1_c5) m2_c5)
  #b000000)))
(define-fun t13 () (_ BitVec 8) (bvadd (bvadd #x00 (ite t1 #x01 #x00)) (ite t4 #x01 #x00)))
(assert (and t12 (and (= (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t3 #x01 #x00)) t13) (= t13 (bvadd (bvadd #x00
  (ite t2 #x01 #x00)) (ite t5 #x01 #x00)))) (or t0 t3)))

; And yet: a member holds no chunk.
(define-fun t14 () Bool (or (and (= m0_c0 #b000000) (= m0_c1 #b000000) (= m0_c2 #b000000) (= m0_c3 #b000000) (=
  m0_c4 #b000000) (= m0_c5 #b000000)) (and (= m1_c0 #b000000) (= m1_c1 #b000000) (= m1_c2 #b000000) (= m1_c3
  #b000000) (= m1_c4 #b000000) (= m1_c5 #b000000)) (and (= m2_c0 #b000000) (= m2_c1 #b000000) (= m2_c2 #b000000) (=
  m2_c3 #b000000) (= m2_c4 #b000000) (= m2_c5 #b000000))))
(assert t14)

(check-sat)
