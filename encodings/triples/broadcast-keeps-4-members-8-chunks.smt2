; Broadcast keeps what a group holds: no contribution is lost or made up among its members. A group of 4 members, 8
; chunks, 8 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 8))
(declare-const m0_c1 (_ BitVec 8))
(declare-const m0_c2 (_ BitVec 8))
(declare-const m0_c3 (_ BitVec 8))
(declare-const m0_c4 (_ BitVec 8))
(declare-const m0_c5 (_ BitVec 8))
(declare-const m0_c6 (_ BitVec 8))
(declare-const m0_c7 (_ BitVec 8))
(declare-const m1_c0 (_ BitVec 8))
(declare-const m1_c1 (_ BitVec 8))
(declare-const m1_c2 (_ BitVec 8))
(declare-const m1_c3 (_ BitVec 8))
(declare-const m1_c4 (_ BitVec 8))
(declare-const m1_c5 (_ BitVec 8))
(declare-const m1_c6 (_ BitVec 8))
(declare-const m1_c7 (_ BitVec 8))
(declare-const m2_c0 (_ BitVec 8))
(declare-const m2_c1 (_ BitVec 8))
(declare-const m2_c2 (_ BitVec 8))
(declare-const m2_c3 (_ BitVec 8))
(declare-const m2_c4 (_ BitVec 8))
(declare-const m2_c5 (_ BitVec 8))
(declare-const m2_c6 (_ BitVec 8))
(declare-const m2_c7 (_ BitVec 8))
(declare-const m3_c0 (_ BitVec 8))
(declare-const m3_c1 (_ BitVec 8))
(declare-const m3_c2 (_ BitVec 8))
(declare-const m3_c3 (_ BitVec 8))
(declare-const m3_c4 (_ BitVec 8))
(declare-const m3_c5 (_ BitVec 8))
(declare-const m3_c6 (_ BitVec 8))
(declare-const m3_c7 (_ BitVec 8))

; Broadcast is allowed.
(define-fun t0 () (_ BitVec 8) (bvnot m0_c0))
(define-fun t1 () (_ BitVec 8) (bvnot m0_c1))
(define-fun t2 () (_ BitVec 8) (bvnot m0_c2))
(define-fun t3 () (_ BitVec 8) (bvnot m0_c3))
(define-fun t4 () (_ BitVec 8) (bvnot m0_c4))
(define-fun t5 () (_ BitVec 8) (bvnot m0_c5))
(define-fun t6 () (_ BitVec 8) (bvnot m0_c6))
(define-fun t7 () (_ BitVec 8) (bvnot m0_c7))
(define-fun t8 () Bool (and (= #x00 (bvand m1_c0 t0)) (= #x00 (bvand m1_c1 t1)) (= #x00 (bvand m1_c2 t2)) (= #x00
  (bvand m1_c3 t3)) (= #x00 (bvand m1_c4 t4)) (= #x00 (bvand m1_c5 t5)) (= #x00 (bvand m1_c6 t6)) (= #x00 (bvand
  m1_c7 t7)) (= #x00 (bvand m2_c0 t0)) (= #x00 (bvand m2_c1 t1)) (= #x00 (bvand m2_c2 t2)) (= #x00 (bvand m2_c3 t3))
  (= #x00 (bvand m2_c4 t4)) (= #x00 (bvand m2_c5 t5)) (= #x00 (bvand m2_c6 t6)) (= #x00 (bvand m2_c7 t7)) (= #x00
  (bvand m3_c0 t0)) (= #x00 (bvand m3_c1 t1)) (= #x00 (bvand m3_c2 t2)) (= #x00 (bvand m3_c3 t3)) (= #x00 (bvand
  m3_c4 t4)) (= #x00 (bvand m3_c5 t5)) (= #x00 (bvand m3_c6 t6)) (= #x00 (bvand m3_c7 t7))))
(define-fun t9 () Bool (or (distinct m1_c0 m0_c0) (distinct m1_c1 m0_c1) (distinct m1_c2 m0_c2) (distinct m1_c3
  m0_c3) (distinct m1_c4 m0_c4) (distinct m1_c5 m0_c5) (distinct m1_c6 m0_c6) (distinct m1_c7 m0_c7) (distinct m2_c0
  m0_c0) (distinct m2_c1 m0_c1) (distinct m2_c2 m0_c2) (distinct m2_c3 m0_c3) (distinct m2_c4 m0_c4) (distinct m2_c5
  m0_c5) (distinct m2_c6 m0_c6) (distinct m2_c7 m0_c7) (distinct m3_c0 m0_c0) (distinct m3_c1 m0_c1) (distinct m3_c2
  m0_c2) (distinct m3_c3 m0_c3) (distinct m3_c4 m0_c4) (distinct m3_c5 m0_c5) (distinct m3_c6 m0_c6) (distinct m3_c7
  m0_c7)))
(assert (and (or (distinct m0_c0 #x00) (distinct m0_c1 #x00) (distinct m0_c2 #x00) (distinct m0_c3 #x00) (distinct
  m0_c4 #x00) (distinct m0_c5 #x00) (distinct m0_c6 #x00) (distinct m0_c7 #x00)) t8 t9))

; Some chunk has other contributors among the members afterwards than before.
(define-fun t10 () Bool (or (distinct (bvor (bvor (bvor m0_c0 m0_c0) m0_c0) m0_c0) (bvor (bvor (bvor m0_c0 m1_c0)
  m2_c0) m3_c0)) (distinct (bvor (bvor (bvor m0_c1 m0_c1) m0_c1) m0_c1) (bvor (bvor (bvor m0_c1 m1_c1) m2_c1)
  m3_c1)) (distinct (bvor (bvor (bvor m0_c2 m0_c2) m0_c2) m0_c2) (bvor (bvor (bvor m0_c2 m1_c2) m2_c2) m3_c2))
  (distinct (bvor (bvor (bvor m0_c3 m0_c3) m0_c3) m0_c3) (bvor (bvor (bvor m0_c3 m1_c3) m2_c3) m3_c3)) (distinct
  (bvor (bvor (bvor m0_c4 m0_c4) m0_c4) m0_c4) (bvor (bvor (bvor m0_c4 m1_c4) m2_c4) m3_c4)) (distinct (bvor (bvor
  (bvor m0_c5 m0_c5) m0_c5) m0_c5) (bvor (bvor (bvor m0_c5 m1_c5) m2_c5) m3_c5)) (distinct (bvor (bvor (bvor m0_c6
  m0_c6) m0_c6) m0_c6) (bvor (bvor (bvor m0_c6 m1_c6) m2_c6) m3_c6)) (distinct (bvor (bvor (bvor m0_c7 m0_c7) m0_c7)
  m0_c7) (bvor (bvor (bvor m0_c7 m1_c7) m2_c7) m3_c7))))
(assert t10)

(check-sat)
