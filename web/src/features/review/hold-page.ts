let holders = 0;

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** While something is still to be saved, the browser asks before it leaves the page. */
export function holdPage(isPending: boolean): void {
  holders += isPending ? 1 : -1;
  if (holders > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}
