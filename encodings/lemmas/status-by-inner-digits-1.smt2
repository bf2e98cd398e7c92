; Whether a device that is not empty has a level scattered or merged depends on its digits below alone. A step keeps
; it so.
;
; Source: p2smt/reduction/semantics/README.md, section 5.2
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const code0 Bool)
(declare-const code1 Bool)
(declare-const code2 Bool)
(declare-const class0F1 Bool)
(declare-const class0M1 Bool)
(declare-const class1F1 Bool)
(declare-const class1M1 Bool)
(declare-const class0Empty Bool)
(declare-const class1Empty Bool)

; The algebra allows a step, one of AllReduce, ReduceScatter, Reduce, AllGather, Broadcast.
(define-fun t0 () Bool (not code1))
(define-fun t1 () Bool (and code0 t0 code2))
(define-fun t2 () Bool (not code0))
(define-fun t3 () Bool (not code2))
(define-fun t4 () Bool (and t2 t0 t3))
(define-fun t5 () Bool (and code0 t0 t3))
(define-fun t6 () Bool (and t2 code1 t3))
(define-fun t7 () Bool (and code0 code1 t3))
(define-fun t8 () Bool (and t2 t0 code2))
(assert (or t1 t4 t5 t6 t7 t8))
(define-fun t9 () Bool (not t1))
(assert (or t1 t9))
(define-fun t10 () Bool (not t9))
(define-fun t11 () Bool (or t4 t5 t6 t7 t8))
(assert (or t10 t11))
(assert t9)
(define-fun t12 () Bool (and t9 t5))
(define-fun t13 () Bool (and t9 t6))
(define-fun t14 () Bool (or (and t9 t4) t12 t13))
(define-fun t15 () Bool (not t14))
(define-fun t16 () Bool (not class0Empty))
(assert (or t15 (and t16 (or t10 (not (or class0F1 class0M1))))))
(define-fun t17 () Bool (and t9 t7))
(define-fun t18 () Bool (not t17))
(assert (or t18 (and t16 (or t10 (and class0F1 class0M1)))))
(define-fun t19 () Bool (and t9 t8))
(define-fun t20 () Bool (not t19))
(define-fun t21 () Bool (not class0F1))
(assert (or t20 (and t16 (or t10 (and t21 class0M1)) (or class0Empty (and (or t21 class0F1) (or (not class0M1)
  class0M1))))))
(define-fun t22 () Bool (ite t9 class0Empty class1Empty))
(define-fun t23 () Bool (ite t9 class0F1 class1F1))
(define-fun t24 () Bool (ite t9 class0M1 class1M1))
(define-fun t25 () Bool (and (= class1Empty t22) (= class1F1 t23) (= class1M1 t24)))
(define-fun t26 () Bool (not t25))
(assert (or t20 (and t9 t26)))
(define-fun t27 () Bool (not t22))
(assert (or t15 (and t25 t27 (or t10 (not (or class1F1 class1M1))))))
(assert (or t18 (and t25 t27 (or t10 (and class1F1 class1M1)))))
(define-fun t28 () Bool (not t23))
(assert (or t20 (and t27 (or t10 (and t28 t24)) (or class1Empty (and (or t28 class1F1) (or (not class1M1) t24))))))
(assert (or t20 t26))
(assert t11)

; Before the step it is so.
(assert (or class0Empty class1Empty (and (= class0F1 class1F1) (= class0M1 class1M1))))

; The claim does not hold.
(define-fun t29 () Bool (and (= (ite t17 (and class0F1 t10) (ite t12 (or class0F1 t9) class0F1)) (ite t19 t23 (ite
  t17 (and class1F1 t10) (ite t12 (or class1F1 t9) class1F1)))) (= (ite t14 (or class0M1 t9) class0M1) (ite t19 t24
  (ite t14 (or class1M1 t9) class1M1)))))
(assert (not (or (and (not t13) class0Empty) (ite t19 t22 (ite t13 (not t10) class1Empty)) t29)))

(check-sat)
