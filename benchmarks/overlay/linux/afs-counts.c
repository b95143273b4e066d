/* The reference counts of fs/afs/server.c: servers that are in no structure are made, used, unused and put. */
#include "server.c"
#include "afs-environment.h"

static struct afs_server *fresh_server(void)
{
	uuid_t uuid = {};
	struct afs_server *server;
	struct afs_addr_list *list = addresses();

	if (IS_ERR(list))
		return NULL;
	server = afs_alloc_server(&cell, &uuid, list);
	if (!server)
		afs_put_addrlist(list);
	return server;
}

int main(void)
{
	struct afs_server *server;

	start();
	server = fresh_server();
	if (server) {
		if (afs_maybe_use_server(server, 0))
			afs_unuse_server(&net, server, 0);
		afs_put_server(&net, server, 0);
	}
	while (__VERIFIER_nondet_int()) {
		server = fresh_server();
		if (!server)
			continue;
		afs_get_server(server, 0);
		if (__VERIFIER_nondet_int()) {
			afs_use_server(server, 0);
			if (__VERIFIER_nondet_int())
				afs_unuse_server(&net, server, 0);
			else
				afs_unuse_server_notime(&net, server, 0);
		}
		afs_put_server(&net, server, 0);
		afs_put_server(&net, server, 0);
	}
	return 0;
}
