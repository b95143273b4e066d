//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#define MAX 100

int queue[MAX];
int front = 0, rear = 0;

void enqueue(int x) {
    if (rear == MAX + 1) {
        puts("full");
        return;
    }
    queue[rear++] = x; //~ out-of-bounds
}

int dequeue(void) {
    if (front == rear) {
        puts("empty");
        exit(1);
    }
    return queue[front++]; //~ may out-of-bounds
}

int main(void) {
    int choice;
    while (scanf("%d", &choice) == 1 && choice != 0) {
        if (choice == 1)
            enqueue(rand());
        else
            printf("%d\n", dequeue());
    }
    return 0;
}
