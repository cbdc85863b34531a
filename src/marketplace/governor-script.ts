/**
 * The governor's decisions, in one script on Redis's clock. It stores for each key owner:
 * - `log`: an entry per granted call, dated by the latest moment at which the call can reach the server: `ARRIVAL_MS`
 *   after the grant, or the answer if that came first. So calls whose dates are a window apart also arrive a window
 *   apart, even on a slow network.
 * - `open`: the calls without an answer, oldest first.
 * - `state`: the pace's level, the gate, the marketplace's own limits, the use by others, and the Redis server that
 *   wrote it. If `state` is missing or another server's, or the log lacks a call, some calls are unknown. Nothing is
 *   then granted until the last of them has left the second.
 * - `waiting`: the waiting callers. Nobody overtakes an earlier lane or an earlier caller of the same lane.
 */

/** How long a call without an answer may be on its way. */
export const ARRIVAL_MS = 500;
/** Added to both windows, because both clocks round. */
export const PAD_MS = 20;
/** A waiting caller asks again at least this often, because room may become free early. */
export const ASK_AGAIN_MS = 1_000;
/** A waiting caller that asks again later than this loses its turn. */
export const LATE_MS = 250;
/** Calls keep the pace of the second until this share of the minute is used, and then the pace of the minute. */
export const BURST_SHARE = 5 / 6;
/** How long free room is reserved for the next caller in line. */
export const YIELD_MS = 10;
/** A 429 closes the gate for at least the shortest window and at most this long. */
export const GATE_MIN_MS = 1_000;
export const GATE_MAX_MS = 3_600_000;

/** Above the calls of any key in a minute. */
const MOST_CALLS = 1_000_000;
/** Above any real time. */
const LATEST_MS = 1e15;

/** The answer when the log lacks a call that it must have. The script then does nothing. */
export const LOST = 'lost';

/**
 * KEYS: log, open, state, waiting. ARGV: verb, now in ms ('': Redis's clock), calls per second, calls per minute, a
 * call that the log must have ('': none), then
 * - `ask`: name of the call, rank (0: most urgent), caller, patience in ms, reserve, kept, burst, callers in line
 *   behind. Returns {granted 0 or 1, wait in ms}.
 * - `begin`: no call was made yet. Only an empty log accepts it.
 * - `unused`: name of a granted call that is not sent.
 * - `observe`: '', status, retry after in ms, limit and remaining per minute, limit and remaining per second ('':
 *   unknown).
 * - `usage`: returns {limit, used, by others} per second and per minute, {gate in ms}, {ranks waiting}, {ms since an
 *   impossible value was corrected, or -1}.
 * `ask` and `observe` may end with calls that the log lost, newest first: name, age of the date in ms, open 0 or 1.
 */
const DECISIONS = `
local LOG, OPEN, STATE, WAITING = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function exact(number) return string.format('%.17g', number) end

local function pairs_of(key)
  local flat, found = redis.call('HGETALL', key), {}
  for i = 1, #flat, 2 do found[flat[i]] = flat[i + 1] end
  return found
end

-- Another program may write here too. What cannot be true is not believed, and told by usage.
local is_untrue = false
for place, kind in ipairs({ 'zset', 'list', 'hash', 'hash' }) do
  local found = redis.call('TYPE', KEYS[place]).ok
  if found ~= kind and found ~= 'none' then
    redis.call('DEL', KEYS[place])
    is_untrue = true
  end
end
if is_untrue then redis.call('HSET', STATE, 'untrue_at', exact(now)) end

if ARGV[5] ~= '' and not redis.call('ZSCORE', LOG, ARGV[5]) then return '${LOST}' end
local is_lost = false
for i = 14, #ARGV, 3 do
  if redis.call('ZADD', LOG, 'NX', now - ARGV[i + 1], ARGV[i]) == 1 then
    is_lost = true
    if ARGV[i + 2] == '1' then redis.call('LPUSH', OPEN, ARGV[i]) end
  end
end

local stored, state = pairs_of(STATE), {}
for field, value in pairs(stored) do state[field] = tonumber(value) end

local function keep(field, value)
  state[field] = value
  redis.call('HSET', STATE, field, exact(value))
end

-- The server counted when it answered, which was about a second ago at worst. Our calls that have left the window since then were
-- in its count, and are not use by others. So the log keeps them for that long.
local LAG = 1000
local second = { name = 'second', ms = 1000, limit = tonumber(ARGV[3]) }
local minute = { name = 'minute', ms = 60000, limit = tonumber(ARGV[4]) }

-- No figure is negative, infinite or no number at all.
local function bound(field, least, most)
  local value = state[field]
  if not stored[field] or (value and value >= least and value <= most) then return end
  keep(field, value and value > most and most or least)
  is_untrue = true
end
bound('closed_at', 0, now + ${GATE_MAX_MS})
bound('closed_ms', 0, ${GATE_MAX_MS})
bound('level', 0, ${MOST_CALLS})
bound('level_at', 0, ${LATEST_MS})
bound('untrue_at', 0, now)
for _, window in ipairs({ second, minute }) do
  bound(window.name .. '_limit', 1, ${MOST_CALLS})
  bound(window.name .. '_others', 0, ${MOST_CALLS})
  bound(window.name .. '_at', 0, ${LATEST_MS})
end
-- A call is granted while the level is at most its burst.
local MOST_LEVEL = minute.limit + 1

-- A clock that was set back must not close the quota for as long as it was set back.
for _, member in ipairs(redis.call('ZRANGEBYSCORE', LOG, '(' .. now + ${ARRIVAL_MS}, '+inf')) do
  redis.call('ZADD', LOG, now + ${ARRIVAL_MS}, member)
end
redis.call('ZREMRANGEBYSCORE', LOG, '-inf', now - minute.ms - LAG)
-- Nor does it bring back a closure that is over, or make one longer than it was.
local gate = 0
if (state.closed_ms or 0) > 0 then
  if not state.closed_at or state.closed_at > now then keep('closed_at', now) end
  gate = math.max(0, state.closed_at + state.closed_ms - now)
  if gate == 0 then keep('closed_ms', 0) end
end

-- From now on nothing is granted to anybody for at least so long.
local function close(ms)
  gate = math.max(gate, ms)
  keep('closed_at', now)
  keep('closed_ms', gate)
end

if ARGV[1] == 'begin' and not state.closed_at then
  keep('closed_at', now)
elseif ARGV[1] ~= 'usage' and (is_lost or not state.closed_at or (stored.run or '') ~= run) then
  -- Whoever was granted a call that is not known may have sent it just now.
  close(${1_000 + ARRIVAL_MS + PAD_MS})
  redis.call('HSET', STATE, 'run', run)
end

-- Use by others fades over the window, as their calls leave it; every answer corrects it.
for _, window in ipairs({ second, minute }) do
  window.limit = math.min(window.limit, state[window.name .. '_limit'] or window.limit)
  window.age = now - (state[window.name .. '_at'] or 0)
  window.others = 0
  if window.age >= 0 and window.age < window.ms then
    window.others = math.ceil((state[window.name .. '_others'] or 0) * (1 - window.age / window.ms))
  end
end

local function used(window, lag)
  return redis.call('ZCOUNT', LOG, '(' .. now - window.ms - lag, '+inf')
end

-- Our calls that may still count in the minute.
local IN_MINUTE = '(' .. now - minute.ms - ${PAD_MS}
local function held() return redis.call('ZCOUNT', LOG, IN_MINUTE, '+inf') end

-- How long until fewer than the limit, less what others use, lie in the second.
local function wait_for_second()
  local room = math.max(1, second.limit - second.others)
  local last = redis.call('ZREVRANGE', LOG, room - 1, room - 1, 'WITHSCORES')[2]
  return last and tonumber(last) + second.ms + ${PAD_MS} - now or 0
end

-- How long until the minute has room beside what is kept free. Until the next of the calls before leaves the minute, and the next
-- after that, there must be left what the earlier lanes may need by then.
local function wait_for_minute(reserve, share)
  local kept = share * math.max(1, minute.limit - minute.others)
  local spare = minute.limit - minute.others - held() - 1 - reserve
  local longest = minute.ms + ${ARRIVAL_MS + PAD_MS}
  local most = math.max(0, math.ceil(kept * longest / minute.ms) - spare)
  local wait = 0
  if most == 0 then return wait end
  local oldest = redis.call('ZRANGEBYSCORE', LOG, IN_MINUTE, '+inf', 'WITHSCORES', 'LIMIT', 0, most)
  for i = 2, #oldest, 2 do
    local leaves = tonumber(oldest[i]) + minute.ms + ${PAD_MS} - now
    wait = math.max(wait, spare < 0 and leaves or kept == 0 and 0 or leaves - spare * minute.ms / kept)
    spare = spare + 1
  end
  return wait
end

-- The pace: every call raises the level by one, and it falls at the rate of the second while the minute has room, then at the one
-- that the minute can sustain.
local rate = math.max(1, minute.limit - minute.others) / minute.ms
if held() + minute.others < minute.limit * ${BURST_SHARE} then
  rate = math.max(rate, (second.limit - second.others) / second.ms)
end
local elapsed = now - (state.level_at or 0)
local level = elapsed < 0 and 0 or math.max(0, math.min(state.level or 0, MOST_LEVEL) - elapsed * rate)

local function waiters()
  local live = {}
  for member, value in pairs(pairs_of(WAITING)) do
    local rank = tonumber(string.match(member, '^%d'))
    local since, lease = string.match(value, '^(%S+) (%S+)$')
    since, lease = tonumber(since or ''), tonumber(lease or '')
    if not (rank and since and lease and lease >= now and lease <= now + ${ASK_AGAIN_MS + LATE_MS}) then
      redis.call('HDEL', WAITING, member)
    else
      live[member] = { rank = rank, since = since }
    end
  end
  return live
end

local function ask(call, rank, caller, patience, reserve, kept, burst, behind)
  local me, live = rank .. ':' .. caller, waiters()
  local since = live[me] and live[me].since or now
  local wait = math.max(gate, wait_for_second(), wait_for_minute(reserve, kept), (level - burst) / rate)
  if wait <= 0 then
    for member, other in pairs(live) do
      local first = other.rank < rank or (other.rank == rank and other.since < since)
      if member ~= me and first then wait = ${YIELD_MS} end
    end
  end
  wait = math.ceil(wait)
  if wait <= 0 then
    redis.call('ZADD', LOG, now + ${ARRIVAL_MS}, call)
    redis.call('RPUSH', OPEN, call)
    redis.call('LTRIM', OPEN, '-' .. ARGV[4], -1)
    keep('level', level + 1)
    keep('level_at', now)
  end
  if wait > patience or (wait <= 0 and behind == 0) then
    redis.call('HDEL', WAITING, me)
  else
    local lease = now + math.min(math.max(wait, 0), ${ASK_AGAIN_MS}) + ${LATE_MS}
    redis.call('HSET', WAITING, me, exact(wait > 0 and since or now) .. ' ' .. exact(lease))
  end
  return { wait <= 0 and 1 or 0, math.max(0, wait) }
end

local function unused(call)
  redis.call('ZREM', LOG, call)
  redis.call('LREM', OPEN, 1, call)
  keep('level', math.max(0, level - 1))
  keep('level_at', now)
  return {}
end

-- The server counts more than we can have sent: others use the key. A lower figure counts once the higher one is old.
local function believe(window, limit, remaining)
  if limit and limit >= 1 then
    keep(window.name .. '_limit', math.min(limit, ${MOST_CALLS}))
  end
  if not remaining then return end
  local others = math.max(0, (limit or window.limit) - remaining - used(window, LAG))
  others = math.min(others, ${MOST_CALLS})
  if others >= window.others or window.age > 1000 then
    keep(window.name .. '_others', others)
    keep(window.name .. '_at', now)
  end
end

-- Some call was answered. It is taken for the oldest open one: of two calls that is the one with the earlier date, so that no date
-- becomes too early for the other. Those that were never answered leave with the log.
local function arrived()
  local call, date
  repeat
    call = redis.call('LPOP', OPEN)
    date = call and tonumber(redis.call('ZSCORE', LOG, call) or nil)
  until date or not call
  if date and date > now then redis.call('ZADD', LOG, now, call) end
end

local function observe(status, retry_after, minute_limit, minute_remaining, second_limit, second_remaining)
  arrived()
  believe(minute, minute_limit, minute_remaining)
  believe(second, second_limit, second_remaining)
  if status == 429 then
    local closed = math.min(math.max(retry_after or 0, ${GATE_MIN_MS}), ${GATE_MAX_MS})
    close(closed)
  end
  return {}
end

local function usage()
  local ranks = {}
  for _, waiter in pairs(waiters()) do table.insert(ranks, waiter.rank) end
  return {
    { second.limit, used(second, 0), second.others },
    { minute.limit, used(minute, 0), minute.others },
    { math.ceil(gate) },
    ranks,
    { state.untrue_at and now - state.untrue_at or -1 }
  }
end

if is_untrue then keep('untrue_at', now) end
local rest = {}
for i = 7, 13 do rest[i - 6] = tonumber(ARGV[i]) end
local answer
if ARGV[1] == 'ask' then
  answer = ask(ARGV[6], rest[1], ARGV[8], rest[3], rest[4], rest[5], rest[6], rest[7])
elseif ARGV[1] == 'unused' then
  answer = unused(ARGV[6])
elseif ARGV[1] == 'observe' then
  answer = observe(rest[1], rest[2], rest[3], rest[4], rest[5], rest[6])
else
  answer = usage()
end
redis.call('PEXPIRE', LOG, 2 * minute.ms)
redis.call('PEXPIRE', OPEN, 2 * minute.ms)
redis.call('PEXPIRE', STATE, 2 * ${GATE_MAX_MS})
redis.call('PEXPIRE', WAITING, 2 * minute.ms)
return answer
`;

export const QUOTA_SCRIPT = `local run = ''${DECISIONS}`;

/**
 * For a Redis that may restart without the last calls or be replaced by a replica. State of another Redis run may lack
 * calls. A promoted replica has another run id.
 */
export const QUOTA_SCRIPT_OF_RUN = `local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')${DECISIONS}`;
