/* What fs/afs/server.c finds around it; every function here is an assumption. */
extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

static struct afs_net net;
static struct afs_cell cell;
static struct afs_vlserver volume_location_server;
struct workqueue_struct *afs_wq;
static bool is_manager_queued;

/* No reader sleeps: what waits for a grace period happens at once. */
void call_rcu(struct rcu_head *head, rcu_callback_t callback) { callback(head); }

/* As fs/afs/addr_list.c has it, without the grace period. */
void afs_put_addrlist(struct afs_addr_list *list)
{
	if (list && refcount_dec_and_test(&list->usage))
		free(list);
}

/* A list of at most one address of each family, or an error; never null. */
static struct afs_addr_list *addresses(void)
{
	struct afs_addr_list *list = calloc(1, sizeof *list + 2 * sizeof(struct sockaddr_rxrpc));

	if (!list)
		return ERR_PTR(-ENOMEM);
	refcount_set(&list->usage, 1);
	list->nr_ipv4 = __VERIFIER_nondet_int() & 1;
	list->nr_addrs = list->nr_ipv4 + (__VERIFIER_nondet_int() & 1);
	list->version = __VERIFIER_nondet_int();
	return list;
}

struct afs_addr_list *afs_vl_get_addrs_u(struct afs_vl_cursor *cursor, const uuid_t *uuid)
{
	struct afs_addr_list *list = addresses();

	cursor->error = IS_ERR(list) ? -ENOMEM : 0;
	return list;
}

struct afs_addr_list *afs_yfsvl_get_endpoints(struct afs_vl_cursor *cursor, const uuid_t *uuid)
{
	return afs_vl_get_addrs_u(cursor, uuid);
}

bool afs_begin_vlserver_operation(struct afs_vl_cursor *cursor, struct afs_cell *cell, struct key *key)
{
	cursor->error = -EDESTADDRREQ;
	cursor->nr_iterations = 0;
	return __VERIFIER_nondet_int() & 1;
}

bool afs_select_vlserver(struct afs_vl_cursor *cursor)
{
	if (cursor->nr_iterations || !(__VERIFIER_nondet_int() & 1))
		return false;
	cursor->nr_iterations = 1;
	cursor->server = &volume_location_server;
	return true;
}

int afs_end_vlserver_operation(struct afs_vl_cursor *cursor) { return cursor->error; }

void afs_fs_probe_fileserver(struct afs_net *net, struct afs_server *server, struct key *key, bool all)
{
	list_del_init(&server->probe_link);
	list_add_tail(&server->probe_link, __VERIFIER_nondet_int() & 1 ? &net->fs_probe_fast : &net->fs_probe_slow);
}

int afs_fs_give_up_all_callbacks(struct afs_net *net, struct afs_server *server, struct afs_addr_cursor *cursor,
				 struct key *key)
{
	return 0;
}

/* The work queue runs when somebody waits. */
bool queue_work_on(int cpu, struct workqueue_struct *queue, struct work_struct *work)
{
	bool was_queued = is_manager_queued;

	is_manager_queued = true;
	return !was_queued;
}

void schedule(void)
{
	if (is_manager_queued) {
		is_manager_queued = false;
		afs_manage_servers(&net.fs_manager);
	}
}

time64_t ktime_get_real_seconds(void) { return __VERIFIER_nondet_int(); }
int timer_reduce(struct timer_list *timer, unsigned long expires) { return 1; }
int timer_delete_sync(struct timer_list *timer) { return 0; }
long prepare_to_wait_event(struct wait_queue_head *head, struct wait_queue_entry *entry, int state) { return 0; }
wait_queue_head_t *__var_waitqueue(void *variable) { return 0; }
int bit_wait(struct wait_bit_key *key, int mode) { return 0; }
int out_of_line_wait_on_bit(void *word, int bit, wait_bit_action_f *action, unsigned mode)
{
	return __VERIFIER_nondet_int() & 1 ? -ERESTARTSYS : 0;
}
bool flush_work(struct work_struct *work) { return false; }

/* One thread: locks, waiters, tracing and warnings have no effect. */
void _raw_spin_lock(raw_spinlock_t *lock) {}
void _raw_spin_unlock(raw_spinlock_t *lock) {}
void _raw_write_lock(rwlock_t *lock) {}
void _raw_write_unlock(rwlock_t *lock) {}
void __rcu_read_lock(void) {}
void __rcu_read_unlock(void) {}
void wake_up_var(void *variable) {}
void wake_up_bit(void *word, int bit) {}
void __init_waitqueue_head(struct wait_queue_head *head, const char *name, struct lock_class_key *key) {}
void afs_server_init_callback_work(struct work_struct *work) {}
void init_wait_var_entry(struct wait_bit_queue_entry *entry, void *variable, int flags) {}
void finish_wait(struct wait_queue_head *head, struct wait_queue_entry *entry) {}
void refcount_warn_saturate(refcount_t *count, enum refcount_saturation_type type) {}
int _printk(const char *format, ...) { return 0; }
int __SCT__might_resched(void) { return 0; }

static void start(void)
{
	net.live = true;
	net.fs_servers = RB_ROOT;
	INIT_LIST_HEAD(&net.fs_probe_fast);
	INIT_LIST_HEAD(&net.fs_probe_slow);
	atomic_set(&net.servers_outstanding, 1);
	cell.net = &net;
}
