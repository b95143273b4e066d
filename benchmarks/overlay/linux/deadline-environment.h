/* What block/mq-deadline.c and block/elevator.c find around them; every function here is an assumption. */
extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void exit(int);

/* One thread: locks do nothing. */
void _raw_spin_lock(raw_spinlock_t *lock) {}
void _raw_spin_unlock(raw_spinlock_t *lock) {}
unsigned long _raw_spin_lock_irqsave(raw_spinlock_t *lock) { return 0; }
void _raw_spin_unlock_irqrestore(raw_spinlock_t *lock, unsigned long flags) {}
void __mutex_init(struct mutex *mutex, const char *name, struct lock_class_key *key) {}

/* The block layer around the scheduler. */
void blk_queue_flag_set(unsigned int flag, struct request_queue *q) {}
void blk_mq_sched_mark_restart_hctx(struct blk_mq_hw_ctx *hctx) {}
bool blk_rq_merge_ok(struct request *rq, struct bio *bio) { return __VERIFIER_nondet_int(); }

/* The last reference to the elevator is that of its queue. */
void kobject_init(struct kobject *kobject, const struct kobj_type *type) {}
void kobject_put(struct kobject *kobject) { free(container_of(kobject, struct elevator_queue, kobj)); }

/* Tracing and warnings have no effect. */
int __SCT__tp_func_block_rq_insert(void *data, struct request *rq) { return 0; }
void __warn_printk(const char *format, ...) {}

static struct request_queue queue;
static struct blk_mq_hw_ctx context;

void blk_mq_free_request(struct request *rq)
{
	dd_finish_request(rq);
	free(rq);
}

/* A request as the block layer hands it over: clear, on no list, in no tree, not hashed. */
static struct request *fresh_request(unsigned int flags, unsigned short class)
{
	struct request *rq = calloc(1, sizeof *rq);

	if (!rq)
		return NULL;
	rq->q = &queue;
	rq->mq_hctx = &context;
	rq->cmd_flags = flags;
	rq->ioprio = class << IOPRIO_CLASS_SHIFT;
	INIT_LIST_HEAD(&rq->queuelist);
	INIT_HLIST_NODE(&rq->hash);
	RB_CLEAR_NODE(&rq->rb_node);
	dd_prepare_request(rq);
	return rq;
}

static int start(void)
{
	context.queue = &queue;
	queue.limits.max_discard_segments = 1;
	return dd_init_sched(&queue, &mq_deadline);
}
