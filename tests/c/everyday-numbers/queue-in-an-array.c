//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#define MAX 100

int queue[MAX];
int front = 0, rear = 0;

void enqueue(int x) {
    if (rear == MAX) {
        puts("full");
        return;
    }
    queue[rear++] = x;
}

int dequeue(void) {
    if (front == rear) {
        puts("empty");
        exit(1);
    }
    return queue[front++];
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
