/**
 * Measures for how long nothing else has its turn, in the processor time of this thread. The time of other programs on a busy
 * machine does not count.
 */
export function watchSlices() {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longest, last] = [0, used()];
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  return {
    longestMs: () => (look(), longest),
    stop: () => clearInterval(timer),
  };
}
