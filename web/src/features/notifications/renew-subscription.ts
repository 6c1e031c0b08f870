/// <reference lib="webworker" />
/** What a browser says when it gives up a subscription of its own accord. */
export interface SubscriptionChange {
  readonly newSubscription?: PushSubscription | null;
  readonly oldSubscription?: PushSubscription | null;
}

async function post(address: URL, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
}

/** Tells the hub where messages are to be sent from now on. */
export async function renewSubscription(
  { scope, pushManager }: ServiceWorkerRegistration,
  { newSubscription, oldSubscription }: SubscriptionChange,
): Promise<void> {
  const options = oldSubscription?.options;
  const subscription = newSubscription ?? (options && (await pushManager.subscribe(options)));
  if (!subscription) return;
  await post(new URL('api/ui/push/subscribe', scope), { subscription });
  if (oldSubscription && oldSubscription.endpoint !== subscription.endpoint) {
    await post(new URL('api/ui/push/unsubscribe', scope), { endpoint: oldSubscription.endpoint });
  }
}
