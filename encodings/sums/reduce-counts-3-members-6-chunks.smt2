; Reduce adds nothing in twice: a chunk has as many contributions as the members' parts of it together. A group of 3
; members, 6 chunks, 6 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: numbers whose sum is not what the states say; expected only of `overlap-adds-wrongly`.
; Unsat: the states say exactly what adding up the contributions gives.
; Built by: p2smt.reduction.catalogue.sums.sums
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

; Reduce is allowed.
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
(define-fun t12 () (_ BitVec 6) (bvor m0_c0 m1_c0))
(define-fun t13 () (_ BitVec 6) (bvor m0_c1 m1_c1))
(define-fun t14 () (_ BitVec 6) (bvor m0_c2 m1_c2))
(define-fun t15 () (_ BitVec 6) (bvor m0_c3 m1_c3))
(define-fun t16 () (_ BitVec 6) (bvor m0_c4 m1_c4))
(define-fun t17 () (_ BitVec 6) (bvor m0_c5 m1_c5))
(define-fun t18 () Bool (and (or t0 t1 t2 t3 t4 t5) (= t0 t6) (= t1 t7) (= t2 t8) (= t3 t9) (= t4 t10) (= t5 t11) (=
  t6 (distinct m2_c0 #b000000)) (= t7 (distinct m2_c1 #b000000)) (= t8 (distinct m2_c2 #b000000)) (= t9 (distinct
  m2_c3 #b000000)) (= t10 (distinct m2_c4 #b000000)) (= t11 (distinct m2_c5 #b000000)) (= (bvand m0_c0 m1_c0)
  #b000000) (= (bvand m0_c1 m1_c1) #b000000) (= (bvand m0_c2 m1_c2) #b000000) (= (bvand m0_c3 m1_c3) #b000000) (=
  (bvand m0_c4 m1_c4) #b000000) (= (bvand m0_c5 m1_c5) #b000000) (= (bvand t12 m2_c0) #b000000) (= (bvand t13 m2_c1)
  #b000000) (= (bvand t14 m2_c2) #b000000) (= (bvand t15 m2_c3) #b000000) (= (bvand t16 m2_c4) #b000000) (= (bvand
  t17 m2_c5) #b000000)))
(assert t18)

; Some chunk has another number of contributions afterwards than its parts had together.
(define-fun t19 () (_ BitVec 6) (bvor (bvor (bvor t12 m2_c0) #b000000) #b000000))
(define-fun t20 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) t19)) ((_
  zero_extend 4) ((_ extract 1 1) t19))) ((_ zero_extend 4) ((_ extract 2 2) t19))) ((_ zero_extend 4) ((_ extract 3
  3) t19))) ((_ zero_extend 4) ((_ extract 4 4) t19))))
(define-fun t21 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) m0_c0)) ((_
  zero_extend 4) ((_ extract 1 1) m0_c0))) ((_ zero_extend 4) ((_ extract 2 2) m0_c0))) ((_ zero_extend 4) ((_
  extract 3 3) m0_c0))) ((_ zero_extend 4) ((_ extract 4 4) m0_c0))))
(define-fun t22 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t21 ((_ zero_extend 4) ((_ extract 5 5) m0_c0))) ((_
  zero_extend 4) ((_ extract 0 0) m1_c0))) ((_ zero_extend 4) ((_ extract 1 1) m1_c0))) ((_ zero_extend 4) ((_
  extract 2 2) m1_c0))))
(define-fun t23 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t22 ((_ zero_extend 4) ((_ extract 3 3) m1_c0))) ((_
  zero_extend 4) ((_ extract 4 4) m1_c0))) ((_ zero_extend 4) ((_ extract 5 5) m1_c0))) ((_ zero_extend 4) ((_
  extract 0 0) m2_c0))))
(define-fun t24 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t23 ((_ zero_extend 4) ((_ extract 1 1) m2_c0))) ((_
  zero_extend 4) ((_ extract 2 2) m2_c0))) ((_ zero_extend 4) ((_ extract 3 3) m2_c0))) ((_ zero_extend 4) ((_
  extract 4 4) m2_c0))))
(define-fun t25 () (_ BitVec 6) (bvor (bvor (bvor t13 m2_c1) #b000000) #b000000))
(define-fun t26 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) t25)) ((_
  zero_extend 4) ((_ extract 1 1) t25))) ((_ zero_extend 4) ((_ extract 2 2) t25))) ((_ zero_extend 4) ((_ extract 3
  3) t25))) ((_ zero_extend 4) ((_ extract 4 4) t25))))
(define-fun t27 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) m0_c1)) ((_
  zero_extend 4) ((_ extract 1 1) m0_c1))) ((_ zero_extend 4) ((_ extract 2 2) m0_c1))) ((_ zero_extend 4) ((_
  extract 3 3) m0_c1))) ((_ zero_extend 4) ((_ extract 4 4) m0_c1))))
(define-fun t28 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t27 ((_ zero_extend 4) ((_ extract 5 5) m0_c1))) ((_
  zero_extend 4) ((_ extract 0 0) m1_c1))) ((_ zero_extend 4) ((_ extract 1 1) m1_c1))) ((_ zero_extend 4) ((_
  extract 2 2) m1_c1))))
(define-fun t29 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t28 ((_ zero_extend 4) ((_ extract 3 3) m1_c1))) ((_
  zero_extend 4) ((_ extract 4 4) m1_c1))) ((_ zero_extend 4) ((_ extract 5 5) m1_c1))) ((_ zero_extend 4) ((_
  extract 0 0) m2_c1))))
(define-fun t30 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t29 ((_ zero_extend 4) ((_ extract 1 1) m2_c1))) ((_
  zero_extend 4) ((_ extract 2 2) m2_c1))) ((_ zero_extend 4) ((_ extract 3 3) m2_c1))) ((_ zero_extend 4) ((_
  extract 4 4) m2_c1))))
(define-fun t31 () (_ BitVec 6) (bvor (bvor (bvor t14 m2_c2) #b000000) #b000000))
(define-fun t32 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) t31)) ((_
  zero_extend 4) ((_ extract 1 1) t31))) ((_ zero_extend 4) ((_ extract 2 2) t31))) ((_ zero_extend 4) ((_ extract 3
  3) t31))) ((_ zero_extend 4) ((_ extract 4 4) t31))))
(define-fun t33 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) m0_c2)) ((_
  zero_extend 4) ((_ extract 1 1) m0_c2))) ((_ zero_extend 4) ((_ extract 2 2) m0_c2))) ((_ zero_extend 4) ((_
  extract 3 3) m0_c2))) ((_ zero_extend 4) ((_ extract 4 4) m0_c2))))
(define-fun t34 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t33 ((_ zero_extend 4) ((_ extract 5 5) m0_c2))) ((_
  zero_extend 4) ((_ extract 0 0) m1_c2))) ((_ zero_extend 4) ((_ extract 1 1) m1_c2))) ((_ zero_extend 4) ((_
  extract 2 2) m1_c2))))
(define-fun t35 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t34 ((_ zero_extend 4) ((_ extract 3 3) m1_c2))) ((_
  zero_extend 4) ((_ extract 4 4) m1_c2))) ((_ zero_extend 4) ((_ extract 5 5) m1_c2))) ((_ zero_extend 4) ((_
  extract 0 0) m2_c2))))
(define-fun t36 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t35 ((_ zero_extend 4) ((_ extract 1 1) m2_c2))) ((_
  zero_extend 4) ((_ extract 2 2) m2_c2))) ((_ zero_extend 4) ((_ extract 3 3) m2_c2))) ((_ zero_extend 4) ((_
  extract 4 4) m2_c2))))
(define-fun t37 () (_ BitVec 6) (bvor (bvor (bvor t15 m2_c3) #b000000) #b000000))
(define-fun t38 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) t37)) ((_
  zero_extend 4) ((_ extract 1 1) t37))) ((_ zero_extend 4) ((_ extract 2 2) t37))) ((_ zero_extend 4) ((_ extract 3
  3) t37))) ((_ zero_extend 4) ((_ extract 4 4) t37))))
(define-fun t39 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) m0_c3)) ((_
  zero_extend 4) ((_ extract 1 1) m0_c3))) ((_ zero_extend 4) ((_ extract 2 2) m0_c3))) ((_ zero_extend 4) ((_
  extract 3 3) m0_c3))) ((_ zero_extend 4) ((_ extract 4 4) m0_c3))))
(define-fun t40 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t39 ((_ zero_extend 4) ((_ extract 5 5) m0_c3))) ((_
  zero_extend 4) ((_ extract 0 0) m1_c3))) ((_ zero_extend 4) ((_ extract 1 1) m1_c3))) ((_ zero_extend 4) ((_
  extract 2 2) m1_c3))))
(define-fun t41 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t40 ((_ zero_extend 4) ((_ extract 3 3) m1_c3))) ((_
  zero_extend 4) ((_ extract 4 4) m1_c3))) ((_ zero_extend 4) ((_ extract 5 5) m1_c3))) ((_ zero_extend 4) ((_
  extract 0 0) m2_c3))))
(define-fun t42 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t41 ((_ zero_extend 4) ((_ extract 1 1) m2_c3))) ((_
  zero_extend 4) ((_ extract 2 2) m2_c3))) ((_ zero_extend 4) ((_ extract 3 3) m2_c3))) ((_ zero_extend 4) ((_
  extract 4 4) m2_c3))))
(define-fun t43 () (_ BitVec 6) (bvor (bvor (bvor t16 m2_c4) #b000000) #b000000))
(define-fun t44 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) t43)) ((_
  zero_extend 4) ((_ extract 1 1) t43))) ((_ zero_extend 4) ((_ extract 2 2) t43))) ((_ zero_extend 4) ((_ extract 3
  3) t43))) ((_ zero_extend 4) ((_ extract 4 4) t43))))
(define-fun t45 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) m0_c4)) ((_
  zero_extend 4) ((_ extract 1 1) m0_c4))) ((_ zero_extend 4) ((_ extract 2 2) m0_c4))) ((_ zero_extend 4) ((_
  extract 3 3) m0_c4))) ((_ zero_extend 4) ((_ extract 4 4) m0_c4))))
(define-fun t46 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t45 ((_ zero_extend 4) ((_ extract 5 5) m0_c4))) ((_
  zero_extend 4) ((_ extract 0 0) m1_c4))) ((_ zero_extend 4) ((_ extract 1 1) m1_c4))) ((_ zero_extend 4) ((_
  extract 2 2) m1_c4))))
(define-fun t47 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t46 ((_ zero_extend 4) ((_ extract 3 3) m1_c4))) ((_
  zero_extend 4) ((_ extract 4 4) m1_c4))) ((_ zero_extend 4) ((_ extract 5 5) m1_c4))) ((_ zero_extend 4) ((_
  extract 0 0) m2_c4))))
(define-fun t48 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t47 ((_ zero_extend 4) ((_ extract 1 1) m2_c4))) ((_
  zero_extend 4) ((_ extract 2 2) m2_c4))) ((_ zero_extend 4) ((_ extract 3 3) m2_c4))) ((_ zero_extend 4) ((_
  extract 4 4) m2_c4))))
(define-fun t49 () (_ BitVec 6) (bvor (bvor (bvor t17 m2_c5) #b000000) #b000000))
(define-fun t50 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) t49)) ((_
  zero_extend 4) ((_ extract 1 1) t49))) ((_ zero_extend 4) ((_ extract 2 2) t49))) ((_ zero_extend 4) ((_ extract 3
  3) t49))) ((_ zero_extend 4) ((_ extract 4 4) t49))))
(define-fun t51 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 4) ((_ extract 0 0) m0_c5)) ((_
  zero_extend 4) ((_ extract 1 1) m0_c5))) ((_ zero_extend 4) ((_ extract 2 2) m0_c5))) ((_ zero_extend 4) ((_
  extract 3 3) m0_c5))) ((_ zero_extend 4) ((_ extract 4 4) m0_c5))))
(define-fun t52 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t51 ((_ zero_extend 4) ((_ extract 5 5) m0_c5))) ((_
  zero_extend 4) ((_ extract 0 0) m1_c5))) ((_ zero_extend 4) ((_ extract 1 1) m1_c5))) ((_ zero_extend 4) ((_
  extract 2 2) m1_c5))))
(define-fun t53 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t52 ((_ zero_extend 4) ((_ extract 3 3) m1_c5))) ((_
  zero_extend 4) ((_ extract 4 4) m1_c5))) ((_ zero_extend 4) ((_ extract 5 5) m1_c5))) ((_ zero_extend 4) ((_
  extract 0 0) m2_c5))))
(define-fun t54 () (_ BitVec 5) (bvadd (bvadd (bvadd (bvadd t53 ((_ zero_extend 4) ((_ extract 1 1) m2_c5))) ((_
  zero_extend 4) ((_ extract 2 2) m2_c5))) ((_ zero_extend 4) ((_ extract 3 3) m2_c5))) ((_ zero_extend 4) ((_
  extract 4 4) m2_c5))))
(define-fun t55 () Bool (or (distinct (bvadd t20 ((_ zero_extend 4) ((_ extract 5 5) t19))) (bvadd t24 ((_
  zero_extend 4) ((_ extract 5 5) m2_c0)))) (distinct (bvadd t26 ((_ zero_extend 4) ((_ extract 5 5) t25))) (bvadd
  t30 ((_ zero_extend 4) ((_ extract 5 5) m2_c1)))) (distinct (bvadd t32 ((_ zero_extend 4) ((_ extract 5 5) t31)))
  (bvadd t36 ((_ zero_extend 4) ((_ extract 5 5) m2_c2)))) (distinct (bvadd t38 ((_ zero_extend 4) ((_ extract 5 5)
  t37))) (bvadd t42 ((_ zero_extend 4) ((_ extract 5 5) m2_c3)))) (distinct (bvadd t44 ((_ zero_extend 4) ((_
  extract 5 5) t43))) (bvadd t48 ((_ zero_extend 4) ((_ extract 5 5) m2_c4)))) (distinct (bvadd t50 ((_ zero_extend
  4) ((_ extract 5 5) t49))) (bvadd t54 ((_ zero_extend 4) ((_ extract 5 5) m2_c5))))))
(assert t55)

(check-sat)
