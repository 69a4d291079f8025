/** Returns the name of the mover's Worker, and of its Workflow, for a Worker of the API. */
export function moverOf(api: string): string {
  return `${api}-mover`;
}
