; Where the group varies along a scattered level, not all members hold the same rows.
;
; Source: p2smt/reduction/semantics/README.md, section 3.1
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const L2 Bool)
(declare-const L3 Bool)
(declare-const L4 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const d2 (_ BitVec 16))
(declare-const d3 (_ BitVec 16))
(declare-const d4 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dF2 Bool)
(declare-const dF3 Bool)
(declare-const dF4 Bool)
(declare-const size1 (_ BitVec 16))
(declare-const size2 (_ BitVec 16))
(declare-const size3 (_ BitVec 16))
(declare-const size4 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(define-fun t1 () Bool (bvuge size2 #x0002))
(assert t1)
(define-fun t2 () Bool (bvuge size3 #x0002))
(assert t2)
(define-fun t3 () Bool (bvuge size4 #x0002))
(assert t3)
(assert (bvult d1 size1))
(assert (bvult d2 size2))
(assert (bvult d3 size3))
(assert (bvult d4 size4))

; The claim does not hold.
(define-fun t4 () Bool (and L1 dF1))
(define-fun t5 () Bool (and L2 dF2))
(define-fun t6 () Bool (and L3 dF3))
(define-fun t7 () Bool (and L4 dF4))
(define-fun t8 () Bool (not dF1))
(define-fun t9 () Bool (not dF2))
(define-fun t10 () Bool (not dF3))
(define-fun t11 () Bool (not dF4))
(define-fun t12 () (_ BitVec 16) (ite t4 (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t13 () Bool (= d1 t12))
(define-fun t14 () (_ BitVec 16) (ite t5 (ite (= d2 #x0000) #x0001 #x0000) d2))
(define-fun t15 () Bool (= d2 t14))
(define-fun t16 () (_ BitVec 16) (ite t6 (ite (= d3 #x0000) #x0001 #x0000) d3))
(define-fun t17 () Bool (= d3 t16))
(define-fun t18 () (_ BitVec 16) (ite t7 (ite (= d4 #x0000) #x0001 #x0000) d4))
(define-fun t19 () Bool (= d4 t18))
(define-fun t20 () Bool (and (and t0 t1 t2 t3 (bvult t12 size1) (bvult t14 size2) (bvult t16 size3) (bvult t18
  size4)) (and (or (not (not L1)) t13) (or (not (not L2)) t15) (or (not (not L3)) t17) (or (not (not L4)) t19)) (not
  (and t13 t15 t17 t19))))
(define-fun t21 () Bool (not (or (and (not t4) (not t5) (not t6) (not t7)) (and (and (or t8 (= d1 d1)) (or t9 (= d2
  d2)) (or t10 (= d3 d3)) (or t11 (= d4 d4))) (not (and (or t8 t13) (or t9 t15) (or t10 t17) (or t11 t19))) t20))))
(assert t21)

(check-sat)
