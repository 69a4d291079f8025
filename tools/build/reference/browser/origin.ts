/** Shows the address from which the page was loaded in all samples. */
export function showOwnOrigin(): void {
  for (const element of document.querySelectorAll('[data-origin]')) {
    element.textContent = location.origin;
  }
}
